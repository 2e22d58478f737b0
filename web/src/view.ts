// What a dashboard shows, read from the address and written to it. The address is the whole state: a reload, the way
// back and a shared link show the same. What is as usual is not in it.
import type { Filter, Metric } from "./api/types";
import { isDay, periodNames, type Bucket, type Period, type PeriodName } from "./period";

export type Compare = "previous" | "year" | "none";
export interface List {
  dimension: string;
  search: string;
  order: string; // "value" or a metric; "" is the usual
  up: boolean; // the least first
  page: number; // from 1
}
export interface View {
  period: Period;
  compare: Compare;
  metric: Metric;
  bucket: Bucket | undefined; // undefined is what suits the period
  filters: Filter[];
  tabs: Record<string, string>; // the tab of each panel that does not show its first
  prop: string; // the property that the events panel shows
  list: List | undefined; // the full list that is open
  embed: boolean;
}

export const graphMetrics = ["visitors", "visits", "pageviews", "views_per_visit", "bounce_rate", "visit_duration", "engaged_time"] as const satisfies readonly Metric[];
const buckets: readonly string[] = ["hour", "day", "week", "month"];
const panelIds = ["sources", "pages", "places", "devices", "events"];

// The words of filters in the address: ?is=country:Germany&not=page:/jobs
const words: Record<string, Filter["op"]> = { is: "is", not: "is_not", has: "contains", hasnt: "not_contains" };

export function viewOf(q: URLSearchParams): View {
  return {
    period: readPeriod(q),
    compare: oneOf(q.get("compare"), ["year", "none"]) ?? "previous",
    metric: oneOf(q.get("metric"), graphMetrics) ?? "visitors",
    bucket: oneOf(q.get("by"), buckets) as Bucket | undefined,
    filters: readFilters(q),
    tabs: Object.fromEntries(panelIds.flatMap((id) => (q.get(id) ? [[id, q.get(id)!]] : []))),
    prop: q.get("prop") ?? "",
    list: readList(q),
    embed: q.get("embed") === "true",
  };
}

/** searchOf is what stands after the path: "" or "?…". */
export function searchOf(v: View): string {
  const q = new URLSearchParams();
  if (typeof v.period !== "string") {
    q.set("from", v.period.from);
    q.set("to", v.period.to);
  } else if (v.period !== "30d") q.set("period", v.period);
  if (v.compare !== "previous") q.set("compare", v.compare);
  if (v.metric !== "visitors") q.set("metric", v.metric);
  if (v.bucket) q.set("by", v.bucket);
  for (const f of v.filters) {
    const word = Object.keys(words).find((w) => words[w] === f.op)!;
    for (const value of f.values) q.append(word, writeDimension(f.dimension) + ":" + value);
  }
  for (const id of panelIds) if (v.tabs[id]) q.set(id, v.tabs[id]);
  if (v.prop) q.set("prop", v.prop);
  if (v.list) {
    q.set("list", v.list.dimension);
    if (v.list.search) q.set("q", v.list.search);
    if (v.list.order) q.set("sort", (v.list.up ? "" : "-") + v.list.order);
    if (v.list.page > 1) q.set("n", String(v.list.page));
  }
  if (v.embed) q.set("embed", "true");
  const s = q.toString().replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%2C", ",");
  return s ? "?" + s : "";
}

function readPeriod(q: URLSearchParams): Period {
  const from = q.get("from") ?? "";
  const to = q.get("to") ?? "";
  if (isDay(from) && isDay(to) && from <= to) return { from, to };
  return (oneOf(q.get("period"), periodNames) as PeriodName | undefined) ?? "30d";
}

function readFilters(q: URLSearchParams): Filter[] {
  let filters: Filter[] = [];
  for (const [word, text] of q) {
    const op = words[word];
    const parts = /^((?:prop:)?[^:]+):(.*)$/s.exec(text);
    if (!op || !parts) continue;
    filters = withFilter(filters, readDimension(parts[1]!), op, parts[2]!);
  }
  return filters;
}

// The name of a property may hold anything, also what parts it from the value.
const writeDimension = (d: string) => (d.startsWith("prop:") ? "prop:" + encodeURIComponent(d.slice(5)) : d);
function readDimension(d: string): string {
  try {
    return d.startsWith("prop:") ? "prop:" + decodeURIComponent(d.slice(5)) : d;
  } catch {
    return d;
  }
}

function readList(q: URLSearchParams): List | undefined {
  const dimension = q.get("list");
  if (!dimension) return undefined;
  const sort = q.get("sort") ?? "";
  const page = Number(q.get("n"));
  return {
    dimension,
    search: q.get("q") ?? "",
    order: sort.replace(/^-/, ""),
    up: sort !== "" && !sort.startsWith("-"),
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

function oneOf<T extends string>(s: string | null, all: readonly T[]): T | undefined {
  return all.find((one) => one === s);
}

// Filters. Values of the same dimension and the same kind stand together: one of them for is, none of them for is not.

export function withFilter(filters: Filter[], dimension: string, op: Filter["op"], value: string): Filter[] {
  const at = filters.findIndex((f) => f.dimension === dimension && f.op === op);
  if (at < 0) return [...filters, { dimension, op, values: [value] }];
  return filters.map((f, i) => (i === at && !f.values.includes(value) ? { ...f, values: [...f.values, value] } : f));
}

/** toggled adds the filter that a click on a row means, or takes it away if it is there. */
export function toggled(filters: Filter[], dimension: string, value: string): Filter[] {
  const there = filters.some((f) => f.dimension === dimension && f.op === "is" && f.values.includes(value));
  if (!there) return withFilter(filters, dimension, "is", value);
  return filters
    .map((f) => (f.dimension === dimension && f.op === "is" ? { ...f, values: f.values.filter((v) => v !== value) } : f))
    .filter((f) => f.values.length > 0);
}

const opposite: Record<Filter["op"], Filter["op"]> = {
  is: "is_not", is_not: "is", contains: "not_contains", not_contains: "contains",
};

export function negated(filters: Filter[], at: number): Filter[] {
  const f = filters[at];
  if (!f) return filters;
  const rest = filters.filter((_, i) => i !== at);
  return f.values.reduce((all, v) => withFilter(all, f.dimension, opposite[f.op], v), rest);
}
