import { useState } from "preact/hooks";
import { post, put } from "../../api/client";
import type { Account, Alert, Mail, Webhook } from "../../api/types";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { CheckField, SelectField, TextField } from "../../components/field";
import { count } from "../../format";
import { t } from "../../texts";
import { Choices } from "./choices";
import { Form, said, useSending } from "./form";

interface Props {
  path: string; // of the alerts of the website
  of: Alert | undefined; // what is changed; a new one if it is none
  me: Account;
  webhooks: Webhook[];
  mail: Mail | undefined;
  onSaved: () => void;
  onClose: () => void;
}

const kinds = ["above", "below", "silent"] as const;
const sensitivities = ["low", "normal", "high"] as const;
// Where 100 visitors are usual, the spread is 10 at least: internal/alert/usual.go.
const spreads = { low: 6, normal: 4, high: 3 };

/** AlertForm makes an alert, or changes one. */
export function AlertForm({ path, of: old, me, webhooks, mail, onSaved, onClose }: Props) {
  const sending = useSending();
  const [form, setForm] = useState({
    kind: old?.kind ?? "above", sensitivity: old?.sensitivity ?? "normal", threshold: String(old?.threshold ?? 20), hours: String(old?.hours ?? 3),
    email: old?.email ?? (mail?.configured === false ? 0 : 1), webhook_id: String(old?.webhook_id ?? 0),
  });
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const save = async () => void (await (old ? put(`${path}/${old.id}`, form) : post(path, form)));
  const mine = !old || old.account_id === me.id;
  const noMail = mail && !mail.configured ? `${t.installation.mailOff}. ${said(mail.why)}` : "";
  const foot = (
    <>
      <Button onClick={onClose}>{t.shell.cancel}</Button>
      <Button kind="primary" type="submit" busy={sending.busy}>{old ? t.shell.save : t.alerts.add}</Button>
    </>
  );
  return (
    <Dialog title={old ? t.alerts.changeTitle : t.alerts.addTitle} onClose={onClose}>
      <div class="dialog-body">
        <Form sending={sending} onSend={save} onDone={onSaved} fields={["sensitivity", "threshold", "hours", "email", "webhook_id"]} foot={foot}>
          <Choices label={t.alerts.kind} name="kind" value={form.kind} onValue={(kind) => set({ kind })} choices={kinds.map((value) => ({ value, ...t.alerts.kinds[value] }))} />
          {form.kind === "silent" ? (
            <TextField label={t.alerts.hours} name="hours" inputMode="numeric" autocomplete="off" required value={form.hours} onValue={(hours) => set({ hours })} error={sending.field("hours")} />
          ) : (
            <SelectField
              label={t.alerts.sensitivity} name="sensitivity" value={form.sensitivity} onValue={(s) => set({ sensitivity: s as Alert["sensitivity"] })} error={sending.field("sensitivity")}
              options={sensitivities.map((value) => ({ value, text: example(form.kind === "above", value) }))}
            />
          )}
          <TextField
            label={t.alerts.threshold[form.kind]} name="threshold" inputMode="numeric" autocomplete="off" required value={form.threshold} onValue={(threshold) => set({ threshold })}
            hint={t.alerts.thresholdHint} error={sending.field("threshold")}
          />
          <CheckField
            label={mine ? t.alerts.email : t.alerts.emailOther} name="email" hint={noMail || t.alerts.emailHint} error={sending.field("email")}
            checked={form.email === 1} onChecked={(on) => set({ email: on ? 1 : 0 })}
          />
          <SelectField
            label={t.alerts.webhook} name="webhook_id" value={form.webhook_id} onValue={(webhook_id) => set({ webhook_id })} disabled={webhooks.length === 0}
            hint={webhooks.length === 0 && t.alerts.webhookHint} error={sending.field("webhook_id")}
            options={[{ value: "0", text: t.alerts.webhookNone }, ...webhooks.map((w) => ({ value: String(w.id), text: w.url }))]}
          />
        </Form>
      </div>
    </Dialog>
  );
}

// What a sensitivity means, with numbers.
function example(more: boolean, s: Alert["sensitivity"]): string {
  const away = 10 * spreads[s];
  return more ? t.alerts.sensitivityMore(t.alerts.sensitivities[s], count(100 + away)) : t.alerts.sensitivityLess(t.alerts.sensitivities[s], count(100 - away));
}
