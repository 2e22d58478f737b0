// Periods and the days they are. Pure: today comes in as a day, and days are texts, Y-m-d.
import type { Days } from "./api/types";

export const periodNames = ["today", "yesterday", "24h", "7d", "30d", "month", "6mo", "12mo", "all"] as const;
export type PeriodName = (typeof periodNames)[number];
export type Period = PeriodName | Days;

export type Bucket = "hour" | "day" | "week" | "month";

/** today is the day that it is on a website. */
export function today(timezone: string, now = new Date()): string {
  const day = (timeZone: string) => new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(now);
  try {
    return day(timezone);
  } catch {
    return day("UTC"); // a zone that this browser does not know
  }
}

const time = (day: string): number => Date.parse(day + "T00:00Z");
const text = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, n: number): string => text(time(day) + n * 86_400_000);
export const countDays = ({ from, to }: Days): number => Math.round((time(to) - time(from)) / 86_400_000) + 1;
export const isDay = (s: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(s) && !Number.isNaN(time(s)) && text(time(s)) === s;

const monthStart = (day: string): string => day.slice(0, 8) + "01";

/** The first of the month n months later. */
function addMonths(day: string, n: number): string {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + n;
  return `${String(Math.floor(months / 12)).padStart(4, "0")}-${String((months % 12) + 1).padStart(2, "0")}-01`;
}

/** How many whole months the days are; 0 if they do not begin and end with one. */
export function wholeMonths({ from, to }: Days): number {
  if (from !== monthStart(from) || addDays(to, 1) !== monthStart(addDays(to, 1))) return 0;
  const index = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
  return index(addDays(to, 1)) - index(from);
}

/**
 * The days of a period, as the service reads it too: those that the last 24 hours lie on, for these. All is undefined: only the
 * service knows where it begins.
 */
export function daysOf(p: Period, today: string): Days | undefined {
  if (typeof p !== "string") return p;
  switch (p) {
    case "today":
      return { from: today, to: today };
    case "yesterday":
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case "24h":
      return { from: addDays(today, -1), to: today };
    case "7d":
      return { from: addDays(today, -6), to: today };
    case "30d":
      return { from: addDays(today, -29), to: today };
    case "month":
      return { from: monthStart(today), to: today };
    case "6mo":
      return { from: addMonths(today, -5), to: today };
    case "12mo":
      return { from: addMonths(today, -11), to: today };
    case "all":
      return undefined;
  }
}

/** Months that a period has by its name; the others are stepped by days. */
const monthsOf: Partial<Record<PeriodName, number>> = { month: 1, "6mo": 6, "12mo": 12 };

/** The period before (-1) or after (1); undefined if it has not begun. */
export function step(p: Period, direction: -1 | 1, today: string): Period | undefined {
  if (p === "24h") return direction < 0 ? "yesterday" : undefined; // hours are stepped by days
  const days = daysOf(p, today);
  if (!days) return undefined;
  const months = typeof p === "string" ? monthsOf[p] : wholeMonths(days);
  let next: Days;
  if (months) {
    const from = addMonths(days.from, months * direction);
    next = { from, to: addDays(addMonths(from, months), -1) };
  } else {
    const n = countDays(days) * direction;
    next = { from: addDays(days.from, n), to: addDays(days.to, n) };
  }
  if (next.from > today) return undefined;
  return named({ from: next.from, to: next.to > today ? today : next.to }, today);
}

/** A period by its name, where these days have one. */
export function named(days: Days, today: string): Period {
  for (const name of periodNames) {
    const d = name === "24h" ? undefined : daysOf(name, today); // which is not all of its days
    if (d && d.from === days.from && d.to === days.to) return name;
  }
  return days;
}

/** The buckets that a graph of these days can have, and which it has if nobody chose. */
export function bucketsOf(days: Days | undefined): { all: Bucket[]; usual: Bucket } {
  const n = days ? countDays(days) : Infinity;
  const all: Bucket[] = [];
  if (n <= 14) all.push("hour");
  if (n > 1 && n <= 800) all.push("day");
  if (n > 13) all.push("week");
  if (n > 59) all.push("month");
  return { all, usual: n <= 2 ? "hour" : n <= 100 ? "day" : n <= 200 ? "week" : "month" };
}
