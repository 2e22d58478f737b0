import { useState } from "preact/hooks";
import { get } from "../api/client";
import type { Live } from "../api/types";
import { useAsk } from "../api/use";
import { Bars } from "../components/bars";
import { Dialog } from "../components/dialog";
import { Empty, Failed } from "../components/state";
import { count, percent, plural, share } from "../format";
import { t } from "../texts";

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
        <Dialog title={now === undefined ? t.live.title : plural(now, t.live.now)} onClose={() => setOpen(false)}>
          <div class="dialog-body live-body">
            <p class="muted small">{t.live.about}</p>
            {live.error && !live.data ? (
              <Failed error={live.error} onRetry={live.retry} />
            ) : live.data?.pages.length ? (
              <Bars
                label={t.live.title} columns={[t.live.page, t.metrics.visitors.name]}
                rows={live.data.pages.slice(0, 20).map((p) => ({
                  key: p.value, text: p.value, count: count(p.visitors), share: percent(share(p.visitors, live.data!.visitors)),
                  part: p.visitors / Math.max(1, live.data!.pages[0]!.visitors),
                }))}
              />
            ) : (
              <Empty>{t.live.nobody}</Empty>
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}
