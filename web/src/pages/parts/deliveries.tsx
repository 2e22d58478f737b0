import { useEffect, useState } from "preact/hooks";
import { get, post } from "../../api/client";
import type { WebhookAttempt } from "../../api/types";
import { useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Icon } from "../../components/icon";
import { explain } from "../../components/state";
import { count, moment } from "../../format";
import { t } from "../../texts";
import { said, useSending } from "./form";
import { Found } from "./gate";

const perPage = 10;

/** Deliveries is what was sent to a webhook, and how that went. It can send a test, and waits for it. */
export function Deliveries({ path, url, test, onClose }: { path: string; url: string; test: boolean; onClose: () => void }) {
  const sending = useSending();
  const [awaited, setAwaited] = useState(""); // the test that is not in the list yet
  const [page, setPage] = useState(0);
  const asked = useAsk(path, (signal) => get<WebhookAttempt[]>(`${path}/deliveries`, { signal }), awaited ? 1 : 10);
  const ping = () =>
    void sending.send(async () => {
      setAwaited((await post<{ delivery: string }>(`${path}/test`)).delivery);
      setPage(0);
      asked.retry();
    });
  useEffect(() => {
    if (test) ping();
  }, []);
  useEffect(() => {
    if (awaited && asked.data?.some((a) => a.delivery === awaited)) setAwaited("");
  }, [asked.data, awaited]);
  return (
    <Dialog title={t.webhooks.deliveries} onClose={onClose} wide>
      <div class="dialog-body deliveries">
        <div class="deliveries-head">
          <code class="address muted">{url}</code>
          <Button busy={sending.busy || awaited !== ""} onClick={ping}>{t.webhooks.test}</Button>
        </div>
        {sending.error && <p class="form-error" role="alert">{explain(sending.error)}</p>}
        <p class="now-line small" role="status">{awaited && <><i class="pulse" aria-hidden="true" />{t.webhooks.testing}</>}</p>
        <Found asked={asked}>{(all) => <List all={all} page={page} onPage={setPage} />}</Found>
      </div>
    </Dialog>
  );
}

function List({ all, page, onPage }: { all: WebhookAttempt[]; page: number; onPage: (n: number) => void }) {
  if (all.length === 0) return <p class="muted">{t.webhooks.noDeliveries}</p>;
  const last = Math.ceil(all.length / perPage) - 1;
  const at = Math.min(page, last); // the list may have become shorter
  return (
    <>
      <ul class="lines">{all.slice(at * perPage, (at + 1) * perPage).map((a) => <Line key={a.id} of={a} />)}</ul>
      <div class="paging small">
        <span class="muted">{t.webhooks.kept}</span>
        {last > 0 && (
          <span class="joined">
            <Button class="square" aria-label={t.webhooks.newer} disabled={at === 0} onClick={() => onPage(at - 1)}><Icon name="left" /></Button>
            <Button class="square" aria-label={t.webhooks.older} disabled={at === last} onClick={() => onPage(at + 1)}><Icon name="right" /></Button>
          </span>
        )}
      </div>
    </>
  );
}

function Line({ of: a }: { of: WebhookAttempt }) {
  const facts = [moment(a.created_at), t.webhooks.attempt(count(a.attempt)), t.webhooks.milliseconds(count(a.duration_ms))];
  return (
    <li>
      <div class="line-main">
        <span>
          <b>{Object.hasOwn(t.webhooks.kinds, a.kind) ? t.webhooks.kinds[a.kind] : a.kind}</b> <span class={`badge ${a.error ? "bad" : "good"}`}>{a.status ?? t.webhooks.noAnswer}</span>
        </span>
        {a.error && <span class="small">{a.status === null ? said(a.error) : t.webhooks.refused}</span>}
        <span class="muted small">{facts.join(" · ")}</span>
      </div>
    </li>
  );
}
