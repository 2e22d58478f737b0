import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, put } from "../../api/client";
import type { Account, Mail, Subscription, Website } from "../../api/types";
import { type Asked, useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { CheckField } from "../../components/field";
import { Icon } from "../../components/icon";
import { explain } from "../../components/state";
import { Tabs } from "../../components/tabs";
import { toast } from "../../components/toast";
import { t } from "../../texts";
import { said, useSending } from "./form";
import { Found } from "./gate";
import { Section } from "./sections";
import type { Save } from "./visibility";

/** useSubscription is whether the account gets the reports on a website. */
export const useSubscription = (id: number): Asked<Subscription> =>
  useAsk(`subscription ${id}`, (signal) => get<Subscription>(`/websites/${id}/subscription`, { signal }));

interface Props {
  id: number;
  account: Account;
  subscription: Asked<Subscription>;
  children?: ComponentChildren; // what comes before one's own switch
}

/** Reports is the part of the settings where everybody chooses for themselves. */
export function Reports({ id, account, subscription, children }: Props) {
  const [shown, show] = useState(false);
  return (
    <Section id="reports" title={t.reports.title} about={t.reports.about} head={<Button onClick={() => show(true)}>{t.reports.preview}</Button>}>
      <Found asked={subscription}>
        {(s) => (
          <>
            {!s.mail.configured && <NoMail mail={s.mail} />}
            {children}
            <Mine of={s} account={account} editor={children !== undefined} onChange={subscription.retry} />
          </>
        )}
      </Found>
      {shown && <Preview id={id} onClose={() => show(false)} />}
    </Section>
  );
}

/** WebsiteReports is the switch for everybody. */
export function WebsiteReports({ website, onSave, onChange }: { website: Website; onSave: Save; onChange: () => void }) {
  const turn = async (on: boolean) => {
    await onSave({ email: on ? 1 : 0 });
    onChange();
  };
  return <Switch label={t.reports.email} name="email" hint={t.reports.emailHint} given={website.email === 1} onTurn={turn} />;
}

// Who may change the website sees the switch for everybody right above. To the others it is said that it is off.
function Mine({ of: s, account, editor, onChange }: { of: Subscription; account: Account; editor: boolean; onChange: () => void }) {
  const off = s.email === 0;
  const turn = async (on: boolean) => {
    await put(`/websites/${s.website_id}/subscription`, { reports: on ? 1 : 0 });
    toast(t.forms.saved);
    onChange();
  };
  const hint = off && !editor ? t.reports.off : t.reports.mineHint(account.email);
  return <Switch label={t.reports.mine} name="reports" hint={hint} given={s.reports === 1 && !(off && editor)} disabled={off && editor} onTurn={turn} />;
}

interface SwitchProps {
  label: string;
  name: string;
  hint: string;
  given: boolean;
  disabled?: boolean;
  onTurn: (on: boolean) => Promise<void>;
}

// A Switch counts at once. It shows what was chosen while that is on its way.
function Switch({ label, name, hint, given, disabled = false, onTurn }: SwitchProps) {
  const sending = useSending();
  const [on, set] = useState(given);
  useEffect(() => set(given), [given]);
  const turn = async (next: boolean) => {
    set(next);
    if (!(await sending.send(() => onTurn(next)))) set(given);
  };
  return <CheckField label={label} name={name} hint={hint} checked={on} onChecked={(next) => void turn(next)} disabled={disabled || sending.busy} error={sending.error && explain(sending.error)} />;
}

/** NoMail says why no email is sent. */
export function NoMail({ mail }: { mail: Mail }) {
  return (
    <div class="verdict">
      <span class="tick"><Icon name="close" /></span>
      <div>
        <b>{t.installation.mailOff}</b>
        <p class="muted small">{said(mail.why)} {t.reports.noMail}</p>
      </div>
    </div>
  );
}

const spans = ["week", "month"] as const;

function Preview({ id, onClose }: { id: number; onClose: () => void }) {
  const [span, setSpan] = useState<string>("week");
  const tabs = <Tabs label={t.reports.preview} tabs={spans.map((s) => ({ id: s, text: t.reports[s] }))} chosen={span} onChoose={setSpan} controls="report" />;
  return (
    <Dialog title={t.reports.preview} onClose={onClose} wide head={tabs}>
      <iframe
        key={span} id="report" class="report" title={t.reports.frame} src={`/api/v1/websites/${id}/report?period=${span}`}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox" onLoad={(e) => lead(e.currentTarget.contentDocument)}
      />
    </Dialog>
  );
}

// Links of a report lead out of the frame, as they do out of a mailbox. Nothing runs in there: this is done from here.
function lead(report: Document | null): void {
  for (const link of report?.querySelectorAll("a") ?? []) {
    link.target = "_blank";
    link.rel = "noopener";
  }
}
