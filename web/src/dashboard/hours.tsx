import { Heat } from "../components/heat";
import { Empty, Failed, Loading } from "../components/state";
import * as f from "../format";
import { t } from "../texts";
import { useAnswers, type Base } from "./answers";
import { weekOf } from "./heat";
import { Card } from "./panel";

/** maxHeatDays is how long a period may be that is asked for hour by hour. */
export const maxHeatDays = 92;

/**
 * HoursPanel shows when people come: a week of hours, or the hours of a day where the period is long; days is how long, 0
 * not known yet. It has a request of its own, without the comparison that would treble the answer.
 */
export function HoursPanel({ base, days, near }: { base: Base; days: number; near: boolean }) {
  const week = days > 0 && days <= maxHeatDays;
  const { compare: _, ...rest } = base;
  const asked = useAnswers(near && days > 0 ? rest : undefined, { hours: { dimension: week ? "hour" : "hour_of_day", metrics: ["visitors"] } }).hours!;
  const rows = asked.found?.table.dimension === (week ? "hour" : "hour_of_day") ? asked.found.table.rows : undefined;
  return (
    <Card title={t.hours.title} class="hours">
      <div class="panel-body">
        {asked.error ? (
          <Failed error={asked.error} onRetry={asked.retry} />
        ) : !rows ? (
          <Loading />
        ) : rows.every((r) => !r.visitors) ? (
          <Empty>{t.panels.empty}</Empty>
        ) : (
          <div class={asked.stale ? "stale" : "settled"}>
            {week ? <Week values={weekOf(rows)} /> : <Week values={[rows.map((r) => (r.visitors ?? 0) / days)]} />}
          </div>
        )}
      </div>
    </Card>
  );
}

const hours = Array.from({ length: 24 }, (_, h) => `2024-01-01T${String(h).padStart(2, "0")}:00`);

function Week({ values }: { values: number[][] }) {
  const name = (i: number, width: "short" | "long") => (values.length > 1 ? f.weekday(i, width) : "");
  const rows = values.map((cells, day) => ({
    name: name(day, "short"),
    cells: cells.map((value, h) => ({
      value,
      text: t.hours.cell(name(day, "long"), f.hour(hours[h]!), t.hours.average(value < 10 ? f.ratio(value) : f.count(value))),
    })),
  }));
  const columns = hours.map((h) => f.hour(h).replace(/[:.]00/, ""));
  return <Heat label={t.hours.about} idle={values.length > 1 ? t.hours.about : t.hours.tooLong} rows={rows} columns={columns} />;
}
