import { useState } from "preact/hooks";
import { put } from "../api/client";
import type { Account } from "../api/types";
import { Button } from "../components/button";
import { SelectField, TextField } from "../components/field";
import { Shell } from "../components/shell";
import { toast } from "../components/toast";
import { setAccount } from "../session";
import { chooseLanguage, t } from "../texts";
import { Form, useSending } from "./parts/form";
import { SignedIn } from "./parts/gate";
import { Keys } from "./parts/keys";
import { localeChoices } from "./parts/locale";
import { PasswordField } from "./parts/password";
import { Section, Sections } from "./parts/sections";
import { SessionList } from "./parts/sessions";
import { TwoFactor } from "./parts/twofactor";
import { ZoneField } from "./parts/zone";

export default function AccountPage({ url }: { url: URL }) {
  return (
    <Shell title={t.account.title} at="account">
      <SignedIn>{(account) => <All url={url} account={account} />}</SignedIn>
    </Shell>
  );
}

function All({ url, account }: { url: URL; account: Account }) {
  const [turn, setTurn] = useState(0); // other sessions end with a new password: then they are asked for again
  const sections = [
    { id: "profile", title: t.account.profile },
    { id: "password", title: t.account.password },
    { id: "two-factor", title: t.twoFactor.title },
    { id: "keys", title: t.apiKeys.title },
    { id: "sessions", title: t.sessions.title },
  ];
  return (
    <Sections url={url} head={<h1>{t.account.title}</h1>} sections={sections}>
      <Section id="profile" title={t.account.profile} about={t.account.profileAbout}>
        <Profile account={account} />
      </Section>
      <Section id="password" title={t.account.password} about={t.account.passwordAbout}>
        <NewPassword email={account.email} onChanged={() => setTurn(turn + 1)} />
      </Section>
      <TwoFactor account={account} />
      <Keys />
      <SessionList key={turn} />
    </Sections>
  );
}

function Profile({ account }: { account: Account }) {
  const sending = useSending();
  const kept = { name: account.name, email: account.email, locale: account.locale, timezone: account.timezone };
  const [form, setForm] = useState(kept);
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });
  const changed = (Object.keys(kept) as (keyof typeof kept)[]).some((k) => form[k] !== kept[k]);
  const save = async () => {
    const saved = await put<Account>("/me", form);
    setAccount(saved);
    set({ email: saved.email, name: saved.name });
    if (saved.locale !== kept.locale) chooseLanguage(saved.locale.split("-")[0]!);
    else toast(t.forms.saved);
  };
  const locales = localeChoices();
  if (!locales.some((l) => l.value === form.locale)) locales.push({ value: form.locale, text: form.locale });
  return (
    <Form sending={sending} onSend={save} fields={Object.keys(kept)} foot={<Button kind="primary" type="submit" busy={sending.busy} disabled={!changed}>{t.shell.save}</Button>}>
      <div class="two">
        <TextField label={t.forms.name} name="name" autocomplete="name" value={form.name} onValue={(name) => set({ name })} error={sending.field("name")} />
        <TextField label={t.forms.email} name="email" type="email" autocomplete="email" required value={form.email} onValue={(email) => set({ email })} error={sending.field("email")} hint={t.account.emailHint} />
        <SelectField label={t.account.locale} name="locale" value={form.locale} onValue={(locale) => set({ locale })} options={locales} error={sending.field("locale")} hint={t.account.localeHint} />
        <ZoneField value={form.timezone} onValue={(timezone) => set({ timezone })} error={sending.field("timezone")} hint={t.account.zoneHint} />
      </div>
    </Form>
  );
}

function NewPassword({ email, onChanged }: { email: string; onChanged: () => void }) {
  const sending = useSending();
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const save = async () => {
    setAccount(await put<Account>("/me/password", { password: present, new_password: next }));
    setPresent("");
    setNext("");
    toast(t.account.passwordChanged);
    onChanged();
  };
  return (
    <Form sending={sending} onSend={save} fields={["password", "new_password"]} foot={<Button kind="primary" type="submit" busy={sending.busy} disabled={!present || !next}>{t.account.changePassword}</Button>}>
      <span class="unseen" aria-hidden="true"><input type="text" name="username" autocomplete="username" value={email} readOnly tabIndex={-1} /></span>
      <div class="two">
        <PasswordField label={t.forms.presentPassword} name="password" value={present} onValue={setPresent} error={sending.field("password") && t.forms.wrongPassword} />
        <PasswordField label={t.forms.newPassword} name="new_password" fresh minLength={8} value={next} onValue={setNext} hint={t.forms.passwordHint} error={sending.field("new_password")} />
      </div>
    </Form>
  );
}
