import { get } from "../api/client";
import type { Days, Drops } from "../api/types";
import { useAsk } from "../api/use";
import { Bars } from "../components/bars";
import { Empty, Failed, Loading } from "../components/state";
import { count, percent, share, short } from "../format";
import { t } from "../texts";
import { Card } from "./panel";

/** DroppedPanel tells which hits were not counted, and why. */
export function DroppedPanel({ website, days, near }: { website: number; days: Days | undefined; near: boolean }) {
  const drops = useAsk(near && days ? JSON.stringify([website, days]) : null, (signal) =>
    get<Drops>(`/websites/${website}/drops`, { query: { from: days!.from, to: days!.to }, signal }));
  const d = drops.data;
  const most = Math.max(1, ...(d?.dropped.map((r) => r.count) ?? []));
  return (
    <Card title={t.panels.dropped} about={t.dropped.about} class="dropped">
      <div class="panel-body">
        {drops.error && !drops.loading ? (
          <Failed error={drops.error} onRetry={drops.retry} />
        ) : !d ? (
          <Loading />
        ) : (
          <div class={`drop-parts ${drops.loading ? "stale" : ""}`}>
            <dl class="drop-sums">
              <div><dt>{t.dropped.received}</dt><dd>{short(d.received)}</dd></div>
              <div><dt>{t.dropped.counted}</dt><dd>{short(d.counted)}</dd></div>
              <div><dt>{t.panels.dropped}</dt><dd>{short(d.received - d.counted)}</dd></div>
            </dl>
            {d.dropped.length === 0 ? (
              <Empty>{t.dropped.none}</Empty>
            ) : (
              <Bars
                label={t.panels.dropped} columns={[t.dropped.reason, t.dropped.hits]}
                rows={d.dropped.slice(0, 7).map((r) => ({
                  key: r.reason, text: t.dropped.reasons[r.reason] ?? r.text, title: r.text, count: count(r.count),
                  share: percent(share(r.count, d.received)), part: r.count / most,
                }))}
              />
            )}
          </div>
        )}
      </div>
    </Card>
  );
}
