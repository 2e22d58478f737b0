import { useState } from "preact/hooks";
import { get } from "../api/client";
import type { Live } from "../api/types";
import { useAsk } from "../api/use";
import { Bars, type Bar } from "../components/bars";
import { Dialog } from "../components/dialog";
import { Empty, Failed, Loading } from "../components/state";
import { count, nameOf, percent, plural, share } from "../format";
import { t } from "../texts";
import { MapOf } from "./panel";

/** LiveButton tells how many visitors there are now, and where they are. */
export function LiveButton({ website }: { website: number }) {
  const [open, setOpen] = useState(false);
  const live = useAsk(`live ${website}`, (signal) => get<Live>(`/websites/${website}/realtime`, { signal }), open ? 5 : 15);
  const now = live.data?.visitors;
  return (
    <>
      <button type="button" class={`button quiet live ${now ? "on" : ""}`} aria-label={now === undefined ? t.live.title : undefined} onClick={() => setOpen(true)}>
        <i aria-hidden="true" />
        {now !== undefined && (
          <>
            <span class="long">{plural(now, t.live.now)}</span>
            <span class="brief">{plural(now, t.live.short)}</span>
          </>
        )}
      </button>
      {open && (
        <Dialog title={now === undefined ? t.live.title : plural(now, t.live.now)} onClose={() => setOpen(false)} wide>
          <div class="dialog-body">
            <p class="muted small">{t.live.about}</p>
            {live.data ? <Now live={live.data} /> : live.error ? <Failed error={live.error} onRetry={live.retry} /> : <Loading />}
          </div>
        </Dialog>
      )}
    </>
  );
}

function Now({ live }: { live: Live }) {
  const pages = barsOf(live.pages, live.visitors, (p) => p.value);
  const countries = barsOf(live.countries, live.visitors, (c) => nameOf("country", c.value, c.code));
  return (
    <div class="live-body">
      <div class="live-pages">
        {pages.length > 0 ? (
          <Bars label={t.live.title} columns={[t.live.page, t.metrics.visitors.name]} rows={pages.slice(0, 20)} />
        ) : (
          <Empty>{t.live.nobody}</Empty>
        )}
      </div>
      <div class="live-map">
        <MapOf label={t.live.map} rows={live.countries} bars={countries} />
      </div>
    </div>
  );
}

function barsOf<T extends { value: string; visitors: number }>(rows: T[], visitors: number, text: (row: T) => string): Bar[] {
  const most = Math.max(1, rows[0]?.visitors ?? 0); // they come with the most first
  return rows.map((r) => ({
    key: r.value, text: text(r), count: count(r.visitors), share: percent(share(r.visitors, visitors)), part: r.visitors / most,
  }));
}
