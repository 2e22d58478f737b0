// How each metric is written.
import type { Metric, Numbers } from "../api/types";
import * as f from "../format";

const ways: Record<Exclude<Metric, "revenue">, (n: number) => string> = {
  visitors: f.count,
  visits: f.count,
  pageviews: f.count,
  events: f.count,
  views_per_visit: f.ratio,
  bounce_rate: f.percent,
  visit_duration: f.duration,
  engaged_time: f.duration,
  scroll_depth: f.percent,
};

/** write is a metric of a row as people read it; "–" where there is none. */
export function write(numbers: Numbers | undefined, metric: Metric): string {
  if (!numbers) return "–";
  if (metric === "revenue") {
    const sums = Object.entries(numbers.revenue ?? {}).filter(([, n]) => n !== 0);
    return sums.length ? sums.map(([unit, n]) => f.amount(n, unit)).join(" · ") : "–";
  }
  const n = numbers[metric];
  return n === undefined ? "–" : ways[metric](n);
}

/** writeShort is the same for a place that is small. */
export function writeShort(numbers: Numbers | undefined, metric: Metric): string {
  const n = metric === "revenue" ? undefined : numbers?.[metric];
  return n !== undefined && ways[metric as "visitors"] === f.count ? f.short(n) : write(numbers, metric);
}

/** writeTick is the same for an axis. */
export const writeTick = (n: number, metric: Metric): string =>
  metric === "revenue" ? f.tick(n) : ways[metric] === f.count || metric === "views_per_visit" ? f.tick(n) : ways[metric](n);

const decades = (steps: number[], from: number, to: number): number[] => {
  const all: number[] = [];
  for (let ten = from; ten < to; ten *= 10) all.push(...steps.map((s) => s * ten));
  return all;
};
const ofCounts = decades([1, 2, 5], 1, 1e12);
const ofRatios = decades([1, 2, 5], 0.1, 1e6);
const ofPercents = [1, 2, 5, 10, 20, 25, 50];
const ofSeconds = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, ...decades([2, 5, 10], 3600, 1e8)];

/** What the marks of an axis may be apart, so that they are numbers that people like. */
export function stepsOf(metric: Metric): number[] {
  if (metric === "views_per_visit") return ofRatios;
  if (inPoints(metric)) return ofPercents;
  return metric === "visit_duration" || metric === "engaged_time" ? ofSeconds : ofCounts;
}

export const numberOf = (numbers: Numbers | undefined, metric: Metric): number | undefined =>
  metric === "revenue" ? undefined : numbers?.[metric];

/** Whether its change is in points. */
export const inPoints = (metric: Metric): boolean => metric === "bounce_rate" || metric === "scroll_depth";

/** Whether less of it is better. */
export const downIsGood = (metric: Metric): boolean => metric === "bounce_rate";
