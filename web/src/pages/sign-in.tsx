import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api/client";
import type { Account } from "../api/types";
import { useAsk } from "../api/use";
import { Button } from "../components/button";
import { TextField } from "../components/field";
import { Shell } from "../components/shell";
import { explain } from "../components/state";
import { go } from "../router";
import { setAccount, useAccount } from "../session";
import { t } from "../texts";
import { thisBrowser } from "./parts/browser";
import { Form, useSending } from "./parts/form";
import { followLocale } from "./parts/locale";
import { nextOf } from "./parts/next";
import { PasswordField } from "./parts/password";

export default function SignInPage({ url }: { url: URL }) {
  const account = useAccount();
  const setup = useAsk(account === null ? "setup" : null, (signal) => get<{ needed: boolean }>("/setup", { signal }));
  const next = nextOf(url);
  const enter = (a: Account) => {
    setAccount(a);
    go(next, { replace: true });
    followLocale(a);
  };
  useEffect(() => {
    if (account) go(next, { replace: true });
  }, [account]);
  return (
    <Shell title={t.signIn.title} shape="card">
      {setup.data?.needed ? <Fresh /> : <Steps onEnter={enter} />}
    </Shell>
  );
}

// Nobody can sign in before there is an account.
function Fresh() {
  return (
    <div class="card">
      <h1>{t.signIn.fresh}</h1>
      <p class="muted">{t.signIn.freshAbout}</p>
      <pre class="example">{location.origin}/setup#fft_…</pre>
    </div>
  );
}

type Step = "password" | "code" | "recovery";

function Steps({ onEnter }: { onEnter: (a: Account) => void }) {
  const [step, setStep] = useState<Step>("password");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const sending = useSending({ signedIn: false });
  const send = async () => {
    const body = { email, password, label: thisBrowser(), ...(step !== "password" && { code: code.trim() }) };
    try {
      onEnter(await post<Account>("/session", body));
    } catch (e) {
      if (step !== "password" || (e as { code?: string }).code !== "totp_required") throw e;
      setStep("code");
    }
  };
  const to = (s: Step) => {
    setStep(s);
    setCode("");
    sending.forget();
  };
  const wrong = { password: t.signIn.wrong, code: t.signIn.wrongCode, recovery: t.signIn.wrongRecovery }[step];
  const said = sending.error && (sending.error.code === "unauthorized" ? wrong : explain(sending.error));
  if (step === "password") {
    return (
      <div class="card">
        <h1>{t.signIn.title}</h1>
        <Form key="password" sending={sending} onSend={send} silent foot={<Button kind="primary" type="submit" busy={sending.busy}>{t.signIn.submit}</Button>}>
          <TextField label={t.forms.email} name="email" type="email" autocomplete="username" value={email} onValue={setEmail} required autofocus />
          <PasswordField value={password} onValue={setPassword} error={said} />
        </Form>
        <p class="muted small">{t.signIn.forgot}</p>
      </div>
    );
  }
  const recovery = step === "recovery";
  return (
    <div class="card">
      <h1>{t.signIn.second}</h1>
      <p class="muted">{recovery ? t.signIn.recoveryAbout : t.signIn.secondAbout}</p>
      <Form key={step} sending={sending} onSend={send} silent foot={<Button kind="primary" type="submit" busy={sending.busy}>{t.signIn.submit}</Button>}>
        <TextField
          label={recovery ? t.signIn.recoveryCode : t.signIn.code} name="code" value={code} onValue={setCode} required autofocus error={said} spellcheck={false}
          autocomplete={recovery ? "off" : "one-time-code"} inputMode={recovery ? "text" : "numeric"} placeholder={recovery ? "xxxx-xxxx-xxxx-xxxx" : "000000"}
        />
      </Form>
      <p class="links small">
        <button type="button" class="link" onClick={() => to(recovery ? "code" : "recovery")}>{recovery ? t.signIn.app : t.signIn.recovery}</button>
        <button type="button" class="link" onClick={() => (setPassword(""), to("password"))}>{t.signIn.back}</button>
      </p>
    </div>
  );
}
