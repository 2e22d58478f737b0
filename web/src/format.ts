// Numbers, dates and times as the reader writes them. All of it in the reader's locale.
import { locale, t } from "./texts";

const remembered = new Map<string, unknown>();
function once<T>(key: string, make: () => T): T {
  const full = locale + key;
  if (!remembered.has(full)) remembered.set(full, make());
  return remembered.get(full) as T;
}

const numbers = (key: string, o: Intl.NumberFormatOptions) => once("n" + key, () => new Intl.NumberFormat(locale, o));
const dates = (key: string, o: Intl.DateTimeFormatOptions) =>
  once("d" + key, () => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...o }));

/** 12,345 */
export const count = (n: number): string => numbers("count", { maximumFractionDigits: 0 }).format(n);

/** 12,345 but 1.2M: at most six characters or so. */
export const short = (n: number): string =>
  Math.abs(n) < 100_000 ? count(n) : numbers("short", { notation: "compact", maximumSignificantDigits: 3 }).format(n);

/** 1.2K: for axes. */
export const tick = (n: number): string => numbers("tick", { notation: "compact", maximumFractionDigits: 1 }).format(n);

/** 2.4 */
export const ratio = (n: number): string =>
  numbers("ratio", { minimumFractionDigits: n < 10 ? 2 : 1, maximumFractionDigits: n < 10 ? 2 : 1 }).format(n);

/** 42% of 0 to 100; one decimal below ten, and <0.1% for what is less than that. */
export function percent(n: number): string {
  if (n > 0 && n < 0.05) return "<" + percent(0.1);
  const digits = n !== 0 && Math.abs(n) < 9.95 ? 1 : 0;
  return numbers("percent" + digits, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(n / 100);
}

/** 1.2 pp: the difference of two percentages. */
export const points = (n: number): string => numbers("points", { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(n) + t.units.pp;

/** The share of a part in a whole, 0 to 100; nothing of nothing is 0. */
export const share = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : 0);

/** 49.90 € if the unit is a currency, else 49.9 km. */
export function amount(n: number, unit: string): string {
  if (/^[A-Z]{3}$/.test(unit)) {
    try {
      return numbers("cur" + unit + (Math.abs(n) >= 1000), {
        style: "currency", currency: unit, ...(Math.abs(n) >= 1000 && { maximumFractionDigits: 0 }),
      }).format(n);
    } catch {
      // three letters, but no currency
    }
  }
  return numbers("amount", { maximumFractionDigits: 2 }).format(n) + (unit ? " " + unit : "");
}

/** 3m 12s */
export function duration(seconds: number): string {
  const s = Math.round(seconds);
  const { h, m, s: sec } = t.units;
  if (s < 60) return `${s}${sec}`;
  if (s < 3600) return `${Math.floor(s / 60)}${m} ${String(s % 60).padStart(2, "0")}${sec}`;
  return `${count(Math.floor(s / 3600))}${h} ${String(Math.floor((s % 3600) / 60)).padStart(2, "0")}${m}`;
}

/** One of several texts by how many there are: plural(3, {one: "# visitor", other: "# visitors"}). */
export function plural(n: number, forms: { one: string; other: string }): string {
  const rule = once("plural", () => new Intl.PluralRules(locale)).select(n);
  return (rule === "one" ? forms.one : forms.other).replace("#", count(n));
}

// Days are written Y-m-d, as the interface does; hours Y-m-dTH:00; months Y-m. None has a zone: it is the website's.

export const parseDay = (day: string): Date => new Date(day.length === 7 ? day + "-01T00:00Z" : day.length > 10 ? day + "Z" : day + "T00:00Z");

/** 14 Nov 2026 */
export const day = (d: string): string => dates("day", { day: "numeric", month: "short", year: "numeric" }).format(parseDay(d));
/** Sat, 14 November 2026 */
export const longDay = (d: string): string =>
  dates("long", { weekday: "short", day: "numeric", month: "long", year: "numeric" }).format(parseDay(d));
/** 14 Nov */
export const dayOfYear = (d: string): string => dates("short", { day: "numeric", month: "short" }).format(parseDay(d));
/** November 2026 */
export const month = (d: string): string => dates("month", { month: "long", year: "numeric" }).format(parseDay(d));
/** Nov */
export const shortMonth = (d: string): string => dates("mon", { month: "short" }).format(parseDay(d));
/** 15:00 or 3 PM */
export const hour = (d: string): string => dates("hour", { hour: "numeric", minute: "2-digit" }).format(parseDay(d));
/** 1 – 14 Nov 2026 */
export const range = (from: string, to: string): string =>
  dates("day", { day: "numeric", month: "short", year: "numeric" }).formatRange(parseDay(from), parseDay(to));
/** Mon … Sun, from 0 for Monday */
export const weekday = (n: number, width: "short" | "long" = "short"): string =>
  dates("wd" + width, { weekday: width }).format(new Date(Date.UTC(2024, 0, 1 + n)));

/** A moment, such as when a key was made: 14 Nov 2026, 15:04, in the reader's own zone. */
export const moment = (iso: string): string =>
  once("moment", () => new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" })).format(new Date(iso));

/** What time it is now in a zone: 15:04 or 3:04 PM; "" if the browser does not know the zone. */
export function clock(zone: string): string {
  try {
    return new Intl.DateTimeFormat(locale, { timeZone: zone, hour: "numeric", minute: "2-digit" }).format(Date.now());
  } catch {
    return "";
  }
}

/** 284 MB */
export function bytes(n: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(units.length - 1, n < 1 ? 0 : Math.floor(Math.log10(n) / 3));
  return numbers("bytes" + step, { style: "unit", unit: units[step]!, maximumSignificantDigits: 3 }).format(n / 1000 ** step);
}

/** 3 days: how long something has lasted, roughly. */
export function span(seconds: number): string {
  const units: [number, string][] = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, "second"];
  return numbers("span" + unit, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 }).format(Math.floor(seconds / size));
}

/** 5 minutes ago */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const f = once("ago", () => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  const steps: [number, Intl.RelativeTimeFormatUnit][] = [[60, "second"], [60, "minute"], [24, "hour"], [30, "day"], [12, "month"], [Infinity, "year"]];
  let n = seconds;
  for (const [size, unit] of steps) {
    if (Math.abs(n) < size) return f.format(Math.round(n), unit);
    n /= size;
  }
  return "";
}

// What the service says in English, and where: elsewhere the same word is somebody's own.
const inWords = new Set(["channel", "continent", "device"]);
const labelled = new Set(["referrer", "source", "hostname", "browser", "browser_version", "os", "os_version", "resolution", "language", "country", "region", "city"]);
const labels = new Set(["Direct / None", "Unknown", "(other)"]);

/** The name of a value in the reader's language, where it is not somebody's own word: of a country by its code, for example. */
export function nameOf(dimension: string, value: string, code = codeOf(dimension, value)): string {
  if (code && (dimension === "country" || dimension === "language")) {
    try {
      return displayNames(locale, dimension === "country" ? "region" : "language").of(code) ?? value;
    } catch {
      return value; // no code that this browser knows
    }
  }
  const ours = inWords.has(dimension) || (labelled.has(dimension) && labels.has(value));
  return ours && Object.hasOwn(t.values, value) ? t.values[value]! : value;
}

const displayNames = (locale: string, type: "region" | "language") =>
  once("names" + type + locale, () => new Intl.DisplayNames(locale, { type, fallback: "none" }));

// A filter knows the country's English name alone.
function codeOf(dimension: string, value: string): string | undefined {
  if (dimension !== "country" || locale.startsWith("en")) return undefined;
  const byName = once("codes", () => {
    const english = displayNames("en", "region");
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    return new Map(letters.flatMap((a) => letters.map((b) => [english.of(a + b) ?? "", a + b] as const)));
  });
  return byName.get(value);
}
