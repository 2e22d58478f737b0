import { useState } from "preact/hooks";
import { del } from "../../api/client";
import type { Account, Alert, Mail, Webhook } from "../../api/types";
import type { Asked } from "../../api/use";
import { Button } from "../../components/button";
import { Icon } from "../../components/icon";
import { toast } from "../../components/toast";
import { ago, plural } from "../../format";
import { t } from "../../texts";
import { AlertForm } from "./alertform";
import { Confirm } from "./confirm";
import { Found } from "./gate";
import { Section } from "./sections";
import { hostOf } from "./webhooks";

interface Props {
  website: number;
  me: Account;
  alerts: Asked<Alert[]>;
  webhooks: Webhook[];
  mail: Mail | undefined;
}

/** Alerts are what somebody is told about a website. */
export function Alerts({ website, me, alerts, webhooks, mail }: Props) {
  const [edited, edit] = useState<Alert | "new">();
  const [ending, end] = useState<Alert>();
  const path = `/websites/${website}/alerts`;
  const saved = () => {
    toast(t.alerts.saved);
    edit(undefined);
    alerts.retry();
  };
  const removed = () => {
    toast(t.alerts.removed);
    end(undefined);
    alerts.retry();
  };
  return (
    <Section id="alerts" title={t.alerts.title} about={t.alerts.about} head={<Button onClick={() => edit("new")}><Icon name="plus" /> {t.alerts.add}</Button>}>
      <Found asked={alerts}>
        {(list) =>
          list.length === 0 ? <p class="muted">{t.alerts.none}</p> : (
            <ul class="lines">
              {list.map((a) => <Line key={a.id} of={a} me={me} webhook={webhooks.find((w) => w.id === a.webhook_id)} mail={mail} onChange={() => edit(a)} onRemove={() => end(a)} />)}
            </ul>
          )
        }
      </Found>
      {edited && <AlertForm path={path} of={edited === "new" ? undefined : edited} me={me} webhooks={webhooks} mail={mail} onSaved={saved} onClose={() => edit(undefined)} />}
      {ending && (
        <Confirm
          title={t.alerts.removeTitle} about={`${t.alerts.kinds[ending.kind].name} · ${condition(ending)}. ${t.alerts.removeAbout}`} action={t.alerts.remove}
          onConfirm={async () => void (await del(`${path}/${ending.id}`))} onDone={removed} onClose={() => end(undefined)}
        />
      )}
    </Section>
  );
}

interface LineProps {
  of: Alert;
  me: Account;
  webhook: Webhook | undefined;
  mail: Mail | undefined;
  onChange: () => void;
  onRemove: () => void;
}

function Line({ of: a, me, webhook, mail, onChange, onRemove }: LineProps) {
  const name = t.alerts.kinds[a.kind].name;
  const email = a.email === 1 && a.account_id !== null && (a.account_id === me.id ? t.alerts.toYou : t.alerts.toOther);
  const nobody = !webhook && (!email || mail?.configured === false);
  const facts = [email, webhook && hostOf(webhook.url), a.fired_at ? t.alerts.told(ago(a.fired_at)) : t.alerts.untold];
  return (
    <li>
      <div class="line-main">
        <span><b>{name}</b> {nobody && <span class="badge bad">{t.alerts.toNobody}</span>}</span>
        <span class="small">{condition(a)}</span>
        <span class="muted small">{facts.filter(Boolean).join(" · ")}</span>
      </div>
      <div class="line-tools">
        <Button kind="quiet" class="small" aria-label={`${t.alerts.change}: ${name}`} onClick={onChange}>{t.alerts.change}</Button>
        <Button kind="quiet" class="small" aria-label={`${t.alerts.remove}: ${name}`} onClick={onRemove}>{t.alerts.remove}</Button>
      </div>
    </li>
  );
}

// The numbers of an alert, in words.
function condition(a: Alert): string {
  switch (a.kind) {
    case "silent":
      return [plural(a.hours, t.alerts.silence), plural(a.threshold, t.alerts.usualHits)].join(", ");
    case "above":
      return [t.alerts.sensitivities[a.sensitivity], plural(a.threshold, t.alerts.from)].join(", ");
    case "below":
      return [t.alerts.sensitivities[a.sensitivity], plural(a.threshold, t.alerts.usualVisitors)].join(", ");
  }
}
