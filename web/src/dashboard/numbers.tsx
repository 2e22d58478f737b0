import type { Metric, Row } from "../api/types";
import { Change } from "../components/change";
import { t } from "../texts";
import { graphMetrics } from "../view";
import { downIsGood, inPoints, write, writeShort } from "./metric";

interface Props {
  totals: Row | undefined;
  chosen: Metric;
  stale: boolean;
  onChoose: (m: Metric) => void;
}

// An average of nothing is none. Where there was nothing before, there is no change to speak of.
const isAverage = (m: Metric) => m === "views_per_visit" || m === "bounce_rate" || m === "visit_duration" || m === "engaged_time";

function changed(totals: Row | undefined, m: Metric): number | null | undefined {
  const nothing = !totals?.previous?.visits || (isAverage(m) && !totals.visits);
  return nothing ? undefined : totals.change?.[m];
}

/** The numbers of the period. One of them is drawn below. */
export function NumberRow({ totals, chosen, stale, onChoose }: Props) {
  return (
    <div class="numbers" role="group" aria-label={t.graph.by}>
      {graphMetrics.map((m) => (
        <button key={m} type="button" class={`figure ${m}`} aria-pressed={m === chosen} title={t.metrics[m].help} onClick={() => onChoose(m)}>
          <span class="figure-name">
            {t.metrics[m].name}
            {m === "visitors" && <span class="per-day">{t.perDay}</span>}
          </span>
          <span class={`figure-value ${stale ? "stale" : ""}`}>
            <b title={write(totals, m)}>{!totals ? "\u00a0" : isAverage(m) && !totals.visits ? "–" : writeShort(totals, m)}</b>
            <Change change={changed(totals, m)} downIsGood={downIsGood(m)} inPoints={inPoints(m)} was={totals?.previous && write(totals.previous, m)} />
          </span>
        </button>
      ))}
    </div>
  );
}
