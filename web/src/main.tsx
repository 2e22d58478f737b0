import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/components.css";
import "./styles/dashboard.css";
import "./styles/pages.css";
import type { ComponentType } from "preact";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "./api/client";
import { Shell } from "./components/shell";
import { Failed, Loading, Notice } from "./components/state";
import { askEarly, DashboardPage } from "./pages/dashboard";
import { match, startRouter, useURL, type Route } from "./router";
import { loadTexts, t } from "./texts";
import { show, theme } from "./theme";

// The dashboard is what people open most: it comes at once. The others come when they are needed.
const pages: Record<Exclude<Route["page"], "dashboard" | "nowhere">, () => Promise<{ default: ComponentType<{ url: URL; domain: string }> }>> = {
  websites: () => import("./pages/websites"),
  "sign-in": () => import("./pages/sign-in"),
  setup: () => import("./pages/setup"),
  account: () => import("./pages/account"),
  installation: () => import("./pages/installation"),
  settings: () => import("./pages/settings"),
};

function App() {
  const url = useURL();
  const route = match(url.pathname);
  if (route.page === "dashboard") return <DashboardPage key={route.domain} domain={route.domain} url={url} />;
  if (route.page === "nowhere") return <Nowhere />;
  return <Later key={url.pathname} page={route.page} url={url} domain={"domain" in route ? route.domain : ""} />;
}

function Later({ page, url, domain }: { page: keyof typeof pages; url: URL; domain: string }) {
  const [Page, set] = useState<ComponentType<{ url: URL; domain: string }>>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let here = true;
    pages[page]().then((m) => here && set(() => m.default), () => here && setFailed(true));
    return () => void (here = false);
  }, [page]);
  if (Page) return <Page url={url} domain={domain} />;
  // After an update of the service the old files are gone: the page as a whole has to be loaded anew.
  const error = new ApiError(0, "offline", "");
  return <Shell title={t.name}>{failed ? <Failed error={error} onRetry={() => location.reload()} /> : <Loading />}</Shell>;
}

function Nowhere() {
  return (
    <Shell title={t.nowhere.title}>
      <Notice title={t.nowhere.title}>
        <p>{t.nowhere.text}</p>
        <a class="button" href="/">{t.nowhere.back}</a>
      </Notice>
    </Shell>
  );
}

const first = match(location.pathname);
if (first.page === "dashboard") askEarly(first.domain);
show(theme());
await loadTexts();
startRouter();
render(<App />, document.getElementById("app")!);
