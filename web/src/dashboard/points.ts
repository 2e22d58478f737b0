// The points of the graph from the rows of an answer. Pure.
import type { Annotation, Metric, Row } from "../api/types";
import type { Point } from "../components/graph";
import * as f from "../format";
import { addDays, type Bucket } from "../period";
import { t } from "../texts";
import { numberOf } from "./metric";

/** The first and the last day of a bucket. */
export function daysOfBucket(value: string, bucket: Bucket): { from: string; to: string } {
  switch (bucket) {
    case "hour":
      return { from: value.slice(0, 10), to: value.slice(0, 10) };
    case "day":
      return { from: value, to: value };
    case "week":
      return { from: value, to: addDays(value, 6) };
    case "month": {
      const next = new Date(value + "-01T00:00Z");
      next.setUTCMonth(next.getUTCMonth() + 1);
      return { from: value + "-01", to: addDays(next.toISOString().slice(0, 10), -1) };
    }
  }
}

export function labelOf(value: string, bucket: Bucket): string {
  switch (bucket) {
    case "hour":
      return `${f.longDay(value.slice(0, 10))}, ${f.hour(value)}`;
    case "day":
      return f.longDay(value);
    case "week":
      return t.graph.weekOf(f.day(value));
    case "month":
      return f.month(value);
  }
}

function tickOf(value: string, bucket: Bucket, hours: boolean): string {
  if (bucket === "hour") return hours ? f.hour(value) : f.dayOfYear(value.slice(0, 10));
  if (bucket === "month") return value.endsWith("-01") ? `${f.shortMonth(value)} ${value.slice(0, 4)}` : f.shortMonth(value);
  return f.dayOfYear(value);
}

/** Rows before the first that has anything are left out where the period has no beginning of its own. */
export function fromFirst(rows: Row[]): Row[] {
  const first = rows.findIndex((r) => (r.pageviews ?? 0) > 0 || (r.visits ?? 0) > 0);
  return first < 0 ? rows.slice(-1) : rows.slice(Math.max(0, first - 1));
}

export function pointsOf(rows: Row[], metric: Metric, bucket: Bucket, notes: Annotation[]): Point[] {
  const hours = rows.length <= 25; // of one day, or of the last 24 hours
  return rows.map((r) => {
    const value = r.value ?? "";
    const { from, to } = daysOfBucket(value, bucket);
    const here = bucket === "hour" && !value.endsWith("T00:00") ? [] : notes.filter((n) => n.day >= from && n.day <= to);
    return {
      label: labelOf(value, bucket),
      tick: tickOf(value, bucket, hours),
      value: numberOf(r, metric),
      previous: numberOf(r.previous, metric),
      previousLabel: r.previous?.value && labelOf(r.previous.value, bucket),
      ...(here.length > 0 && { notes: here.map((n) => n.text) }),
    };
  });
}
