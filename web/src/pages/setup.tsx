// First start: the link that the service printed leads here. Account, website, snippet; then visitors come.
import { useState } from "preact/hooks";
import { get, post } from "../api/client";
import type { Account, Dashboard, Website } from "../api/types";
import { useAsk } from "../api/use";
import { Button, ButtonLink } from "../components/button";
import { TextField } from "../components/field";
import { Icon } from "../components/icon";
import { Shell } from "../components/shell";
import { go } from "../router";
import { setAccount, useAccount } from "../session";
import { kept, t } from "../texts";
import { Form, useSending } from "./parts/form";
import { Found, SignedIn } from "./parts/gate";
import { Installing } from "./parts/installing";
import { NewWebsite } from "./parts/newwebsite";
import { PasswordField } from "./parts/password";
import { ownZone } from "./parts/zone";

const steps = ["account", "website", "snippet"] as const;
type Step = (typeof steps)[number];

export default function SetupPage({ url }: { url: URL }) {
  const step = steps.find((s) => s === url.searchParams.get("step")) ?? "account";
  return (
    <Shell title={t.setup.title} shape="narrow">
      <div class="setup">
        <Progress at={step} />
        {step === "account" && <AccountStep token={url.hash.slice(1)} />}
        {step === "website" && <SignedIn>{() => <WebsiteStep />}</SignedIn>}
        {step === "snippet" && <SignedIn>{() => <SnippetStep domain={url.searchParams.get("website") ?? ""} />}</SignedIn>}
      </div>
    </Shell>
  );
}

function Progress({ at }: { at: Step }) {
  const now = steps.indexOf(at);
  return (
    <ol class="steps" aria-label={t.setup.steps}>
      {steps.map((s, i) => (
        <li key={s} class={i < now ? "done" : ""} aria-current={i === now ? "step" : undefined}>
          <span class="step-mark" aria-hidden="true">{i < now ? <Icon name="check" /> : i + 1}</span>
          {t.setup[s]}
          {i < now && <span class="unseen">({t.setup.done})</span>}
        </li>
      ))}
    </ol>
  );
}

function AccountStep({ token }: { token: string }) {
  const account = useAccount();
  const asked = useAsk("setup", (signal) => get<{ needed: boolean }>("/setup", { signal }));
  return (
    <Found asked={asked}>
      {({ needed }) =>
        needed && token ? (
          <NewAccount token={token} />
        ) : (
          <>
            <h1>{needed ? t.setup.noToken : t.setup.made}</h1>
            <p class="muted">{needed ? t.setup.noTokenAbout : t.setup.madeAbout}</p>
            {!needed && <ButtonLink kind="primary" href={account ? "/" : "/sign-in"}>{account ? t.nowhere.back : t.shell.signIn}</ButtonLink>}
          </>
        )
      }
    </Found>
  );
}

function NewAccount({ token }: { token: string }) {
  const sending = useSending({ signedIn: false });
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const create = async () => {
    setAccount(await post<Account>("/setup", { token, email, password, name, timezone: ownZone(), ...(kept() && { locale: kept() }) }));
    go("/setup?step=website", { replace: true });
  };
  return (
    <>
      <h1>{t.setup.accountTitle}</h1>
      <p class="muted">{t.setup.accountAbout}</p>
      <Form sending={sending} onSend={create} fields={["email", "password", "name"]} foot={<Button kind="primary" type="submit" busy={sending.busy}>{t.setup.create}</Button>}>
        <TextField label={t.forms.email} name="email" type="email" autocomplete="username" value={email} onValue={setEmail} required autofocus error={sending.field("email")} />
        <PasswordField value={password} onValue={setPassword} fresh minLength={8} hint={t.forms.passwordHint} error={sending.field("password")} />
        <TextField label={t.forms.optional(t.forms.name)} name="name" autocomplete="name" value={name} onValue={setName} error={sending.field("name")} />
      </Form>
    </>
  );
}

function WebsiteStep() {
  const added = (w: Website) => go("/setup?step=snippet&website=" + encodeURIComponent(w.domain));
  return (
    <>
      <h1>{t.setup.websiteTitle}</h1>
      <p class="muted">{t.setup.websiteAbout}</p>
      <NewWebsite onAdded={added} foot={<ButtonLink kind="quiet" href="/">{t.setup.later}</ButtonLink>} />
    </>
  );
}

function SnippetStep({ domain }: { domain: string }) {
  const asked = useAsk(domain, (signal) => get<Dashboard>(`/dashboards/${encodeURIComponent(domain)}`, { signal }));
  return (
    <>
      <h1>{t.setup.snippetTitle}</h1>
      <Found asked={asked}>{(website) => <Installing website={website} />}</Found>
    </>
  );
}
