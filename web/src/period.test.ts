import { expect, test } from "vitest";
import { addDays, bucketsOf, countDays, daysOf, isDay, named, step, today, wholeMonths } from "./period";

const now = "2026-11-15";

test("today is the website's day, not the reader's", () => {
  const evening = new Date("2026-11-15T23:30:00Z");
  expect(today("UTC", evening)).toBe("2026-11-15");
  expect(today("Europe/Berlin", evening)).toBe("2026-11-16");
  expect(today("America/Los_Angeles", evening)).toBe("2026-11-15");
  expect(today("Not/AZone", evening)).toBe("2026-11-15");
});

test("periods are the days that the service takes them for", () => {
  expect(daysOf("24h", now)).toEqual({ from: "2026-11-14", to: now });
  expect(daysOf("7d", now)).toEqual({ from: "2026-11-09", to: now });
  expect(daysOf("30d", now)).toEqual({ from: "2026-10-17", to: now });
  expect(daysOf("month", now)).toEqual({ from: "2026-11-01", to: now });
  expect(daysOf("6mo", now)).toEqual({ from: "2026-06-01", to: now });
  expect(daysOf("12mo", "2026-01-31")).toEqual({ from: "2025-02-01", to: "2026-01-31" });
  expect(daysOf("all", now)).toBeUndefined();
});

test("a step leads to the period before of the same kind", () => {
  expect(step("today", -1, now)).toBe("yesterday");
  expect(step("yesterday", -1, now)).toEqual({ from: "2026-11-13", to: "2026-11-13" });
  expect(step("7d", -1, now)).toEqual({ from: "2026-11-02", to: "2026-11-08" });
  expect(step("month", -1, now)).toEqual({ from: "2026-10-01", to: "2026-10-31" });
  expect(step({ from: "2026-03-01", to: "2026-03-31" }, -1, now)).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(step("6mo", -1, now)).toEqual({ from: "2025-12-01", to: "2026-05-31" });
  expect(step({ from: "2025-01-01", to: "2025-12-31" }, -1, now)).toEqual({ from: "2024-01-01", to: "2024-12-31" });
});

test("a step forward ends today and finds the name again", () => {
  expect(step("yesterday", 1, now)).toBe("today");
  expect(step({ from: "2026-10-01", to: "2026-10-31" }, 1, now)).toBe("month");
  expect(step({ from: "2026-11-02", to: "2026-11-08" }, 1, now)).toBe("7d");
  expect(step({ from: "2026-11-04", to: "2026-11-10" }, 1, now)).toEqual({ from: "2026-11-11", to: now });
  expect(step("today", 1, now)).toBeUndefined();
  expect(step("all", -1, now)).toBeUndefined();
});

test("steps there and back again lead to where they began", () => {
  for (const p of ["today", "7d", "30d"] as const) {
    const before = step(p, -1, now)!;
    expect(step(before, 1, now)).toBe(p);
  }
});

test("the last 24 hours are stepped by days, and are no name for days", () => {
  expect(step("24h", -1, now)).toBe("yesterday");
  expect(step("24h", 1, now)).toBeUndefined();
  expect(named({ from: "2026-11-14", to: now }, now)).toEqual({ from: "2026-11-14", to: now });
  expect(step({ from: "2026-11-12", to: "2026-11-13" }, 1, now)).toEqual({ from: "2026-11-14", to: now });
});

test("only days that exist are days", () => {
  expect(isDay("2026-02-28")).toBe(true);
  for (const s of ["2026-02-29", "2026-13-01", "2026-1-1", "", "yesterday", "2026-02-28T00:00"]) expect(isDay(s)).toBe(false);
});

test("days are counted across a change of the clock", () => {
  expect(countDays({ from: "2026-03-28", to: "2026-03-30" })).toBe(3);
  expect(addDays("2026-10-24", 2)).toBe("2026-10-26");
});

test("whole months are recognised", () => {
  expect(wholeMonths({ from: "2026-02-01", to: "2026-02-28" })).toBe(1);
  expect(wholeMonths({ from: "2025-11-01", to: "2026-10-31" })).toBe(12);
  expect(wholeMonths({ from: "2026-02-01", to: "2026-02-27" })).toBe(0);
  expect(wholeMonths({ from: "2026-02-02", to: "2026-02-28" })).toBe(0);
});

test("days that have a name get it", () => {
  expect(named({ from: "2026-11-14", to: "2026-11-14" }, now)).toBe("yesterday");
  expect(named({ from: "2026-11-13", to: "2026-11-14" }, now)).toEqual({ from: "2026-11-13", to: "2026-11-14" });
});

test("a graph has buckets that suit its period", () => {
  expect(bucketsOf({ from: now, to: now })).toEqual({ all: ["hour"], usual: "hour" });
  expect(bucketsOf(daysOf("24h", now))).toEqual({ all: ["hour", "day"], usual: "hour" });
  expect(bucketsOf(daysOf("7d", now))).toEqual({ all: ["hour", "day"], usual: "day" });
  expect(bucketsOf(daysOf("30d", now))).toEqual({ all: ["day", "week"], usual: "day" });
  expect(bucketsOf(daysOf("12mo", now))).toEqual({ all: ["day", "week", "month"], usual: "month" });
  expect(bucketsOf(undefined)).toEqual({ all: ["week", "month"], usual: "month" });
});
