// For administrators: how the installation is, its settings, and who may sign in.
import { useState } from "preact/hooks";
import { get, put } from "../api/client";
import type { Account, Installation } from "../api/types";
import { useAsk } from "../api/use";
import { Button } from "../components/button";
import { TextField } from "../components/field";
import { Icon } from "../components/icon";
import { Shell } from "../components/shell";
import { Notice } from "../components/state";
import { toast } from "../components/toast";
import { bytes, count, short, span } from "../format";
import { t } from "../texts";
import { Accounts } from "./parts/accounts";
import { Form, said, useSending } from "./parts/form";
import { Found, SignedIn } from "./parts/gate";
import { Section, Sections } from "./parts/sections";
import { ZoneField } from "./parts/zone";

export default function InstallationPage({ url }: { url: URL }) {
  return (
    <Shell title={t.installation.title} at="installation">
      <SignedIn>{(account) => (account.role === "admin" ? <All url={url} account={account} /> : <ForAdmins />)}</SignedIn>
    </Shell>
  );
}

function ForAdmins() {
  return (
    <Notice title={t.installation.forAdmins}>
      <p>{t.installation.forAdminsAbout}</p>
      <a class="button" href="/">{t.nowhere.back}</a>
    </Notice>
  );
}

function All({ url, account }: { url: URL; account: Account }) {
  const asked = useAsk("installation", (signal) => Promise.all([get<Installation>("/installation", { signal }), get<Account[]>("/accounts", { signal })]), 30);
  const sections = [
    { id: "health", title: t.installation.health },
    { id: "accounts", title: t.accounts.title },
    { id: "mail", title: t.installation.mail },
    { id: "settings", title: t.installation.settings },
  ];
  return (
    <Found asked={asked}>
      {([i, accounts]) => (
        <Sections url={url} head={<h1>{t.installation.title}</h1>} sections={sections}>
          <Health of={i} lost={asked.error !== undefined} />
          <Accounts me={account} accounts={accounts} onChange={asked.retry} />
          <Mail of={i} />
          <Section id="settings" title={t.installation.settings} about={t.installation.settingsAbout}>
            <SettingsForm of={i} onSaved={asked.retry} />
          </Section>
        </Sections>
      )}
    </Found>
  );
}

function Health({ of: i, lost }: { of: Installation; lost: boolean }) {
  const well = i.health.ready && !lost;
  const facts: { name: string; value: string; hint?: string }[] = [
    { name: t.installation.events, value: short(i.data.events) },
    { name: t.installation.storage, value: bytes(i.data.bytes) },
    { name: t.installation.journal, value: bytes(i.data.journal_bytes) },
    { name: t.installation.uptime, value: span(i.uptime_seconds) },
    { name: t.installation.websites, value: count(i.websites) },
    { name: t.installation.accounts, value: count(i.accounts) },
    ...(i.unknown_website_hits === undefined ? [] : [{ name: t.installation.unknown, value: short(i.unknown_website_hits), hint: t.installation.unknownHint }]),
    { name: t.installation.version, value: i.version },
  ];
  return (
    <Section id="health" title={t.installation.health}>
      <div class={`verdict ${well ? "good" : "bad"}`} role="status">
        <span class="tick"><Icon name={well ? "check" : "warning"} /></span>
        <div>
          <b>{well ? t.installation.ready : lost ? t.errors.offline : t.installation.notReady}</b>
          {well && <p class="muted small">{t.installation.readyAbout}</p>}
          {!lost && i.health.reasons.map((r) => <p key={r} class="small">{t.installation.parts[r] ?? r}</p>)}
          {!lost && !i.health.ready && <p class="muted small">{t.installation.seeLog}</p>}
        </div>
      </div>
      <dl class="facts">
        {facts.map((f) => (
          <div key={f.name}>
            <dt>{f.name}</dt>
            <dd>{f.value}{f.hint && <span class="sub">{f.hint}</span>}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Mail({ of: i }: { of: Installation }) {
  return (
    <Section id="mail" title={t.installation.mail}>
      <div class={`verdict ${i.mail.configured ? "good" : ""}`}>
        <span class="tick"><Icon name={i.mail.configured ? "check" : "close"} /></span>
        <div>
          <b>{i.mail.configured ? t.installation.mailOn : t.installation.mailOff}</b>
          <p class="muted small">{i.mail.configured ? t.installation.mailOnAbout : said(i.mail.why)}</p>
        </div>
      </div>
    </Section>
  );
}

function SettingsForm({ of: i, onSaved }: { of: Installation; onSaved: () => void }) {
  const sending = useSending();
  const [name, setName] = useState(i.name);
  const [zone, setZone] = useState(i.default_timezone);
  const save = async () => {
    const saved = await put<Installation>("/installation", { name, default_timezone: zone });
    setName(saved.name);
    toast(t.forms.saved);
    onSaved();
  };
  const changed = name !== i.name || zone !== i.default_timezone;
  return (
    <Form sending={sending} onSend={save} fields={["name", "default_timezone"]} foot={<Button kind="primary" type="submit" busy={sending.busy} disabled={!changed}>{t.shell.save}</Button>}>
      <div class="two">
        <TextField label={t.installation.name} name="name" autocomplete="off" value={name} onValue={setName} hint={t.installation.nameHint} error={sending.field("name")} />
        <ZoneField name="default_timezone" label={t.installation.zone} value={zone} onValue={setZone} hint={t.installation.zoneHint} error={sending.field("default_timezone")} />
      </div>
    </Form>
  );
}
