import { expect, test } from "vitest";
import { ticksOf } from "../components/graph";
import { weekOf } from "./heat";
import { daysOfBucket, fromFirst, pointsOf } from "./points";

test("a bucket knows its days", () => {
  expect(daysOfBucket("2026-11-15T13:00", "hour")).toEqual({ from: "2026-11-15", to: "2026-11-15" });
  expect(daysOfBucket("2026-11-09", "week")).toEqual({ from: "2026-11-09", to: "2026-11-15" });
  expect(daysOfBucket("2026-02", "month")).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(daysOfBucket("2026-12", "month")).toEqual({ from: "2026-12-01", to: "2026-12-31" });
});

test("points carry what was and what was noted", () => {
  const rows = [
    { value: "2026-11-14", visitors: 5, previous: { value: "2026-10-14", visitors: 4 } },
    { value: "2026-11-15" },
  ];
  const points = pointsOf(rows, "visitors", "day", [{ id: 1, day: "2026-11-14", text: "Launch" }]);
  expect(points[0]).toMatchObject({ value: 5, previous: 4, notes: ["Launch"] });
  expect(points[1]).toMatchObject({ value: undefined, previous: undefined });
  expect(points[1]!.notes).toBeUndefined();
});

test("all time begins one bucket before the first visit", () => {
  const rows = [0, 0, 0, 3, 0, 1].map((pageviews, i) => ({ value: `2026-0${i + 1}`, pageviews }));
  expect(fromFirst(rows).map((r) => r.value)).toEqual(["2026-03", "2026-04", "2026-05", "2026-06"]);
});

test("labels of the axis never crowd and keep their distance", () => {
  for (const n of [1, 2, 7, 24, 30, 31, 90, 365]) {
    for (const width of [320, 700, 1200]) {
      const ticks = ticksOf(n, width);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(Math.max(2, Math.floor(width / 88)));
      const gaps = new Set(ticks.slice(1).map((x, i) => x - ticks[i]!));
      expect(gaps.size).toBeLessThanOrEqual(1);
    }
  }
});

test("a week is the average of its days", () => {
  const week = weekOf([
    { value: "2026-11-09T10:00", visitors: 4 }, // Mondays
    { value: "2026-11-16T10:00", visitors: 8 },
    { value: "2026-11-15T23:00", visitors: 3 }, // a Sunday
    { value: "2026-11-17T10:00" }, // has not begun
  ]);
  expect(week[0]![10]).toBe(6);
  expect(week[6]![23]).toBe(3);
  expect(week[1]![10]).toBe(0);
});
