import { useState } from "preact/hooks";
import { del, post, put } from "../../api/client";
import type { Account, TOTP } from "../../api/types";
import { useAsk } from "../../api/use";
import { Button } from "../../components/button";
import { Snippet } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { toast } from "../../components/toast";
import { setAccount } from "../../session";
import { t } from "../../texts";
import { Form, useSending } from "./form";
import { PasswordField } from "./password";
import { Section } from "./sections";

/** TwoFactor turns the second factor of the account on and off, and makes new recovery codes. */
export function TwoFactor({ account }: { account: Account }) {
  const [open, setOpen] = useState<"turn" | "renew">();
  const close = () => setOpen(undefined);
  const changed = (totp: boolean) => setAccount({ ...account, totp });
  const head = (
    <div class="row">
      <span class={`badge ${account.totp ? "good" : ""}`}>{account.totp ? t.twoFactor.on : t.twoFactor.off}</span>
      {account.totp && <Button onClick={() => setOpen("renew")}>{t.twoFactor.renew}</Button>}
      <Button onClick={() => setOpen("turn")}>{account.totp ? t.twoFactor.turnOff : t.twoFactor.turnOn}</Button>
    </div>
  );
  return (
    <Section id="two-factor" title={t.twoFactor.title} about={t.twoFactor.about} head={head}>
      {open === "renew" && <Renew onClose={close} />}
      {open === "turn" && (account.totp ? <TurnOff onOff={() => changed(false)} onClose={close} /> : <TurnOn onOn={() => changed(true)} onClose={close} />)}
    </Section>
  );
}

// Password, then the app, then the codes for the day on which the app is lost. It is on before the codes are shown; the
// page learns of it when the dialog closes, as it is another dialog then.
function TurnOn({ onOn, onClose }: { onOn: () => void; onClose: () => void }) {
  const [secret, setSecret] = useState<TOTP>();
  const [codes, setCodes] = useState<string[]>();
  const done = () => {
    onClose();
    if (!codes) return;
    onOn();
    toast(t.twoFactor.nowOn);
  };
  return (
    <Dialog title={codes ? t.twoFactor.recoveryTitle : t.twoFactor.begin} onClose={done}>
      <div class="dialog-body">
        {codes ? <Recovery codes={codes} onKept={done} /> : secret ? <Scan totp={secret} onCodes={setCodes} /> : <Begin onSecret={setSecret} />}
      </div>
    </Dialog>
  );
}

function Begin({ onSecret }: { onSecret: (s: TOTP) => void }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const begin = async () => onSecret(await post<TOTP>("/me/totp", { password }));
  return (
    <Form sending={sending} onSend={begin} fields={["password"]} foot={<Button kind="primary" type="submit" busy={sending.busy}>{t.twoFactor.next}</Button>}>
      <p class="muted">{t.twoFactor.beginAbout}</p>
      <PasswordField value={password} onValue={setPassword} autofocus error={sending.field("password") && t.forms.wrongPassword} />
    </Form>
  );
}

function Scan({ totp, onCodes }: { totp: TOTP; onCodes: (c: string[]) => void }) {
  const sending = useSending();
  const [code, setCode] = useState("");
  const confirm = async () => onCodes((await put<{ recovery_codes: string[] }>("/me/totp", { code })).recovery_codes);
  return (
    <Form sending={sending} onSend={confirm} fields={["code"]} foot={<Button kind="primary" type="submit" busy={sending.busy}>{t.twoFactor.confirm}</Button>}>
      <p class="muted">{t.twoFactor.scan}</p>
      <QR text={totp.url} />
      <div class="labelled">
        <span>{t.twoFactor.manual}</span>
        <Snippet text={totp.secret} label={t.twoFactor.secret} />
      </div>
      <TextField label={t.twoFactor.code} name="code" value={code} onValue={setCode} required autofocus autocomplete="one-time-code" inputMode="numeric" placeholder="000000" spellcheck={false} error={sending.field("code") && t.twoFactor.wrongCode} />
    </Form>
  );
}

// The encoder comes only when it is needed. A text that is too long for it can still be typed.
function QR({ text }: { text: string }) {
  const asked = useAsk(text, async () => (await import("./qr")).qr(text));
  const size = asked.data?.length ?? 0;
  const path = asked.data?.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  if (asked.error || (asked.data === undefined && !asked.loading)) return null;
  return (
    <div class="qr">
      {path && (
        <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={t.twoFactor.qr}>
          <path d={path} />
        </svg>
      )}
    </div>
  );
}

function Recovery({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([codes.join("\n") + "\n"], { type: "text/plain" }));
    link.download = "footfall-recovery-codes.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <div class="form">
      <p>{t.twoFactor.recoveryAbout}</p>
      <Snippet text={codes.join("\n")} label={t.twoFactor.recovery} />
      <div class="form-foot">
        <Button onClick={save}><Icon name="download" /> {t.twoFactor.download}</Button>
        <Button kind="primary" onClick={onKept}>{t.twoFactor.kept}</Button>
      </div>
    </div>
  );
}

function Renew({ onClose }: { onClose: () => void }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const [codes, setCodes] = useState<string[]>();
  const renew = async () => setCodes((await post<{ recovery_codes: string[] }>("/me/totp/recovery-codes", { password })).recovery_codes);
  const done = () => {
    onClose();
    if (codes) toast(t.twoFactor.renewed);
  };
  return (
    <Dialog title={codes ? t.twoFactor.recoveryTitle : t.twoFactor.renew} onClose={done}>
      <div class="dialog-body">
        {codes ? <Recovery codes={codes} onKept={done} /> : (
          <Form
            sending={sending} onSend={renew} fields={["password"]}
            foot={<><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="primary" type="submit" busy={sending.busy}>{t.twoFactor.next}</Button></>}
          >
            <p>{t.twoFactor.renewAbout}</p>
            <PasswordField value={password} onValue={setPassword} autofocus error={sending.field("password") && t.forms.wrongPassword} />
          </Form>
        )}
      </div>
    </Dialog>
  );
}

function TurnOff({ onOff, onClose }: { onOff: () => void; onClose: () => void }) {
  const sending = useSending();
  const [password, setPassword] = useState("");
  const end = async () => void (await del("/me/totp", { body: { password } }));
  const done = () => {
    onClose();
    onOff();
    toast(t.twoFactor.nowOff);
  };
  return (
    <Dialog title={t.twoFactor.end} onClose={onClose}>
      <div class="dialog-body">
        <Form
          sending={sending} onSend={end} onDone={done} fields={["password"]}
          foot={<><Button onClick={onClose}>{t.shell.cancel}</Button><Button kind="danger" type="submit" class="strong" busy={sending.busy}>{t.twoFactor.turnOff}</Button></>}
        >
          <p>{t.twoFactor.endAbout}</p>
          <PasswordField value={password} onValue={setPassword} autofocus error={sending.field("password") && t.forms.wrongPassword} />
        </Form>
      </div>
    </Dialog>
  );
}
