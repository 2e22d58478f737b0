// Settings of a website: what its pages need, who sees it, what counts, and its end.
import { useState } from "preact/hooks";
import { del, get, put } from "../api/client";
import type { Account, Alert, Dashboard, Webhook, Website } from "../api/types";
import { useAsk } from "../api/use";
import { Button, ButtonLink } from "../components/button";
import { Icon } from "../components/icon";
import { Shell } from "../components/shell";
import { Failed, Loading, Notice } from "../components/state";
import { toast } from "../components/toast";
import { go } from "../router";
import { t } from "../texts";
import { Alerts } from "./parts/alerts";
import { Confirm } from "./parts/confirm";
import { CountingForm } from "./parts/counting";
import { Found, SignedIn } from "./parts/gate";
import { Reports, useSubscription, WebsiteReports } from "./parts/reports";
import { Section, Sections } from "./parts/sections";
import { Shares } from "./parts/shares";
import { NowLine, TagView } from "./parts/tagview";
import { VisibilityForm } from "./parts/visibility";
import { Webhooks } from "./parts/webhooks";

export default function SettingsPage({ url, domain }: { url: URL; domain: string }) {
  return (
    <Shell title={t.settings.title(domain)}>
      <SignedIn>{(account) => <Settings url={url} domain={domain} account={account} />}</SignedIn>
    </Shell>
  );
}

function Settings({ url, domain, account }: { url: URL; domain: string; account: Account }) {
  const found = useAsk(domain, (signal) => get<Dashboard>(`/dashboards/${encodeURIComponent(domain)}`, { signal }));
  const access = found.data?.access;
  const mayEdit = access === "owner" || access === "editor";
  const website = useAsk(mayEdit ? String(found.data!.id) : null, (signal) => get<Website>(`/websites/${found.data!.id}`, { signal }));
  if (found.error && !found.loading && !found.data) {
    const hidden = found.error.status === 404 || found.error.code === "password_required";
    return hidden ? <Unknown domain={domain} /> : <Failed error={found.error} onRetry={found.retry} />;
  }
  if (!found.data) return <Loading />;
  if (!mayEdit) return <ReadOnly website={found.data} account={account} />;
  return <Found asked={website}>{(w) => <All url={url} website={w} owner={access === "owner"} account={account} />}</Found>;
}

function Unknown({ domain }: { domain: string }) {
  return (
    <Notice title={t.nowhere.title}>
      <p>{t.noWebsite.signedIn(domain)}</p>
      <ButtonLink href="/">{t.nowhere.back}</ButtonLink>
    </Notice>
  );
}

function ReadOnly({ website, account }: { website: Dashboard; account: Account }) {
  const [asking, ask] = useState(false);
  const leave = async () => void (await del(`/websites/${website.id}/shares/${account.id}`));
  const left = () => {
    toast(t.settings.left);
    go("/", { replace: true });
  };
  const shared = website.access === "viewer";
  return (
    <>
      <Notice title={t.settings.readOnlyTitle}>
        <p>{t.settings.readOnly(website.domain)}</p>
        <div class="row">
          <ButtonLink href={`/${website.domain}`}>{t.snippet.open}</ButtonLink>
          {shared && <Button kind="danger" onClick={() => ask(true)}>{t.settings.leave}</Button>}
        </div>
        {shared && <OwnReports id={website.id} account={account} />}
      </Notice>
      {asking && <Confirm title={t.settings.leave} about={t.settings.leaveAbout(website.domain)} action={t.settings.leave} onConfirm={leave} onDone={left} onClose={() => ask(false)} />}
    </>
  );
}

const OwnReports = ({ id, account }: { id: number; account: Account }) => <Reports id={id} account={account} subscription={useSubscription(id)} />;

function All({ url, website: first, owner, account }: { url: URL; website: Website; owner: boolean; account: Account }) {
  const [website, setWebsite] = useState(first);
  const save = async (change: Partial<Website> & { password?: string }) => {
    const saved = await put<Website>(`/websites/${website.id}`, change);
    setWebsite(saved);
    toast(t.forms.saved);
    return saved;
  };
  const subscription = useSubscription(website.id);
  const alerts = useAsk("alerts", (signal) => get<Alert[]>(`/websites/${website.id}/alerts`, { signal }));
  const webhooks = useAsk("webhooks", (signal) => get<Webhook[]>(`/websites/${website.id}/webhooks`, { signal }));
  const unhooked = () => {
    webhooks.retry();
    alerts.retry(); // those that told it tell it no more
  };
  const sections = [
    { id: "snippet", title: t.snippet.title },
    { id: "visibility", title: t.settings.visibility },
    { id: "counting", title: t.settings.counting },
    { id: "reports", title: t.reports.title },
    { id: "alerts", title: t.alerts.title },
    { id: "webhooks", title: t.webhooks.title },
    ...(owner ? [{ id: "shares", title: t.shares.title }, { id: "delete", title: t.settings.danger }] : []),
  ];
  const head = (
    <>
      <a class="back" href={`/${website.domain}`}><Icon name="left" /> {website.domain}</a>
      <h1>{t.settings.heading}</h1>
    </>
  );
  return (
    <Sections url={url} head={head} sections={sections}>
      <Section id="snippet" title={t.snippet.title} about={t.snippet.about}>
        <TagView domain={website.domain} />
        <NowLine id={website.id} />
      </Section>
      <Section id="visibility" title={t.settings.visibility} about={t.settings.visibilityAbout}>
        <VisibilityForm website={website} onSave={save} />
      </Section>
      <Section id="counting" title={t.settings.counting} about={t.settings.countingAbout}>
        <CountingForm website={website} onSave={save} />
      </Section>
      <Reports id={website.id} account={account} subscription={subscription}>
        <WebsiteReports website={website} onSave={save} onChange={subscription.retry} />
      </Reports>
      <Alerts website={website.id} me={account} alerts={alerts} webhooks={webhooks.data ?? []} mail={subscription.data?.mail} />
      <Webhooks website={website.id} webhooks={webhooks} alerts={alerts.data ?? []} onRemoved={unhooked} />
      {owner && <Shares id={website.id} />}
      {owner && <Delete website={website} />}
    </Sections>
  );
}

function Delete({ website }: { website: Website }) {
  const [asking, ask] = useState(false);
  const gone = () => {
    toast(t.settings.deleted(website.domain));
    go("/", { replace: true });
  };
  return (
    <Section id="delete" title={t.settings.danger} about={t.settings.deleteAbout} head={<Button kind="danger" onClick={() => ask(true)}>{t.settings.delete}</Button>}>
      {asking && (
        <Confirm
          title={t.settings.deleteTitle(website.domain)} about={t.settings.deleteAbout} action={t.settings.deleteConfirm} word={website.domain}
          onConfirm={async () => void (await del(`/websites/${website.id}`))} onDone={gone} onClose={() => ask(false)}
        />
      )}
    </Section>
  );
}
