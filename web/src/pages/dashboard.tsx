// The dashboard of one website: finds it, and shows it to those who may see it.
import { useState } from "preact/hooks";
import { ApiError, get, post } from "../api/client";
import type { Dashboard } from "../api/types";
import { asApiError, useAsk } from "../api/use";
import { Button } from "../components/button";
import { TextField } from "../components/field";
import { Shell } from "../components/shell";
import { explain, Failed, Loading, Notice } from "../components/state";
import { WebsiteView } from "../dashboard/website";
import { signInPath, useAccount } from "../session";
import { t } from "../texts";
import { viewOf } from "../view";

const pathOf = (domain: string) => `/dashboards/${encodeURIComponent(domain)}`;

// The first page's website is asked for while the texts are still being loaded.
let early: { domain: string; found: Promise<Dashboard> } | undefined;

export function askEarly(domain: string): void {
  early = { domain, found: get<Dashboard>(pathOf(domain)) };
  early.found.catch(() => undefined); // whoever takes it sees to that
}

function find(domain: string, signal: AbortSignal): Promise<Dashboard> {
  const asked = early?.domain === domain ? early.found : get<Dashboard>(pathOf(domain), { signal });
  early = undefined;
  return asked;
}

export function DashboardPage({ domain, url }: { domain: string; url: URL }) {
  const asked = useAsk(domain, (signal) => find(domain, signal));
  const view = viewOf(url.searchParams);
  if (asked.data) return <WebsiteView website={asked.data} view={view} />;
  return (
    <Shell title={domain} bare={view.embed}>
      {!asked.error || asked.loading ? (
        <Loading />
      ) : asked.error.code === "password_required" ? (
        <Password domain={domain} path={pathOf(domain)} onOpen={asked.retry} />
      ) : asked.error.status === 404 || asked.error.status === 401 ? (
        <NotShown domain={domain} />
      ) : (
        <Failed error={asked.error} onRetry={asked.retry} />
      )}
    </Shell>
  );
}

function NotShown({ domain }: { domain: string }) {
  const account = useAccount();
  return (
    <Notice title={account ? t.noWebsite.none : t.noWebsite.title}>
      <p>{account ? t.noWebsite.signedIn(domain) : t.noWebsite.text(domain)}</p>
      <a class="button" href={account ? "/" : signInPath()}>{account ? t.nowhere.back : t.shell.signIn}</a>
    </Notice>
  );
}

function Password({ domain, path, onOpen }: { domain: string; path: string; onOpen: () => void }) {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const open = async (e: Event) => {
    e.preventDefault();
    setBusy(true);
    try {
      await post(path + "/session", { password });
      onOpen();
    } catch (cause) {
      setError(asApiError(cause));
    }
    setBusy(false);
  };
  return (
    <Notice title={t.password.title(domain)}>
      <form class="form" onSubmit={open}>
        <TextField label={t.password.label} name="password" type="password" autocomplete="current-password" value={password} onValue={setPassword} required autofocus error={error && explain(error)} />
        <Button kind="primary" type="submit" busy={busy}>{t.password.open}</Button>
      </form>
    </Notice>
  );
}
