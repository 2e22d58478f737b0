import { useState } from "preact/hooks";
import { del, post } from "../../api/client";
import type { Alert, Webhook } from "../../api/types";
import type { Asked } from "../../api/use";
import { Button } from "../../components/button";
import { Snippet } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { Menu } from "../../components/menu";
import { Tabs } from "../../components/tabs";
import { toast } from "../../components/toast";
import { day, plural } from "../../format";
import { t } from "../../texts";
import { Confirm } from "./confirm";
import { Deliveries } from "./deliveries";
import { Form, useSending } from "./form";
import { Found } from "./gate";
import { Section } from "./sections";
import { verifiers } from "./verify";

type Open = { what: "add" } | { what: "remove" | "deliveries" | "test"; webhook: Webhook };

interface Props {
  website: number;
  webhooks: Asked<Webhook[]>;
  alerts: Alert[];
  onRemoved: () => void;
}

/** Webhooks are where alerts of a website are sent to. */
export function Webhooks({ website, webhooks, alerts, onRemoved }: Props) {
  const [open, setOpen] = useState<Open>();
  const path = `/websites/${website}/webhooks`;
  const close = () => setOpen(undefined);
  const removed = () => {
    toast(t.webhooks.removed);
    close();
    onRemoved();
  };
  return (
    <Section id="webhooks" title={t.webhooks.title} about={t.webhooks.about} head={<Button onClick={() => setOpen({ what: "add" })}><Icon name="plus" /> {t.webhooks.add}</Button>}>
      <Found asked={webhooks}>
        {(list) =>
          list.length === 0 ? <p class="muted">{t.webhooks.none}</p> : (
            <ul class="lines">
              {list.map((w) => <Line key={w.id} of={w} used={alerts.filter((a) => a.webhook_id === w.id).length} onOpen={setOpen} />)}
            </ul>
          )
        }
      </Found>
      <Verify />
      {open?.what === "add" && <NewWebhook path={path} onMade={webhooks.retry} onClose={close} />}
      {(open?.what === "deliveries" || open?.what === "test") && <Deliveries path={`${path}/${open.webhook.id}`} url={open.webhook.url} test={open.what === "test"} onClose={close} />}
      {open?.what === "remove" && (
        <Confirm
          title={t.webhooks.removeTitle} about={<><code class="address">{open.webhook.url}</code> {t.webhooks.removeAbout}</>} action={t.webhooks.removeConfirm}
          onConfirm={async () => void (await del(`${path}/${open.webhook.id}`))} onDone={removed} onClose={close}
        />
      )}
    </Section>
  );
}

/** hostOf is the short name of a webhook. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

function Line({ of: w, used, onOpen }: { of: Webhook; used: number; onOpen: (o: Open) => void }) {
  const items = [
    { text: t.webhooks.test, onSelect: () => onOpen({ what: "test", webhook: w }) },
    { text: t.webhooks.remove, onSelect: () => onOpen({ what: "remove", webhook: w }) },
  ];
  return (
    <li>
      <div class="line-main">
        <code class="address" title={w.url}>{w.url}</code>
        <span class="muted small">{t.webhooks.since(day(w.created_at.slice(0, 10)))} · {used ? plural(used, t.webhooks.usedBy) : t.webhooks.unused}</span>
      </div>
      <div class="line-tools">
        <Button kind="quiet" class="small" aria-label={`${t.webhooks.deliveries}: ${w.url}`} onClick={() => onOpen({ what: "deliveries", webhook: w })}>{t.webhooks.deliveries}</Button>
        <Menu label={t.forms.actions(w.url)} kind="quiet square" align="end" items={items}><Icon name="more" /></Menu>
      </div>
    </li>
  );
}

function NewWebhook({ path, onMade, onClose }: { path: string; onMade: () => void; onClose: () => void }) {
  const sending = useSending();
  const [url, setURL] = useState("");
  const [secret, setSecret] = useState("");
  const make = async () => {
    setSecret((await post<Webhook & { secret: string }>(path, { url })).secret);
    onMade();
  };
  if (secret) {
    return (
      <Dialog title={t.webhooks.madeTitle} onClose={onClose}>
        <div class="dialog-body form">
          <p>{t.webhooks.madeAbout}</p>
          <Snippet text={secret} label={t.webhooks.secret} />
          <div class="form-foot"><Button kind="primary" onClick={onClose}>{t.webhooks.done}</Button></div>
        </div>
      </Dialog>
    );
  }
  const foot = <><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="primary" type="submit" busy={sending.busy}>{t.webhooks.add}</Button></>;
  return (
    <Dialog title={t.webhooks.addTitle} onClose={onClose}>
      <div class="dialog-body">
        <Form sending={sending} onSend={make} fields={["url"]} foot={foot}>
          <TextField
            label={t.webhooks.url} name="url" value={url} onValue={setURL} required autofocus autocomplete="off" spellcheck={false} placeholder="https://example.com/hooks/footfall"
            hint={t.webhooks.urlHint} error={sending.field("url")}
          />
        </Form>
      </div>
    </Dialog>
  );
}

function Verify() {
  const [language, choose] = useState<string>(verifiers[0]!.id);
  const chosen = verifiers.find((v) => v.id === language)!;
  return (
    <details class="options">
      <summary>{t.webhooks.verify}</summary>
      <p class="muted">{t.webhooks.verifyAbout}</p>
      <Tabs label={t.webhooks.languages} tabs={verifiers.map((v) => ({ id: v.id, text: v.text }))} chosen={language} onChoose={choose} controls="verify" />
      <div id="verify"><Snippet text={chosen.code} label={`${t.webhooks.verify}: ${chosen.text}`} /></div>
    </details>
  );
}
