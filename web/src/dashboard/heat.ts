// Visitors by weekday and hour, from the hours of a period. Pure.
import type { Row } from "../api/types";

/** weekOf is the average of each hour of each weekday, from Monday. Hours that have not begun do not count as empty. */
export function weekOf(rows: Row[]): number[][] {
  const sums = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => ({ sum: 0, days: 0 })));
  for (const r of rows) {
    const at = Date.parse((r.value ?? "") + "Z");
    if (Number.isNaN(at) || r.visitors === undefined) continue;
    const time = new Date(at);
    const cell = sums[(time.getUTCDay() + 6) % 7]![time.getUTCHours()]!;
    cell.sum += r.visitors;
    cell.days++;
  }
  return sums.map((day) => day.map((c) => (c.days ? c.sum / c.days : 0)));
}
