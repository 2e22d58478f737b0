import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { signOut, signInPath, useAccount } from "../session";
import { chooseLanguage, kept, languages, t } from "../texts";
import { setTheme, theme, type Theme } from "../theme";
import { Icon, Logo } from "./icon";
import { Menu, type MenuItem } from "./menu";
import { Toasts } from "./toast";

interface Props {
  title: string; // of the window
  at?: "websites" | "account" | "installation"; // which of the links above we are at
  shape?: "wide" | "narrow" | "card"; // how wide the page is
  head?: ComponentChildren; // beside the sign
  tools?: ComponentChildren; // at the other end
  bare?: boolean; // nothing around the page: in a frame of another website
  children: ComponentChildren;
}

let shown = location.pathname;

/** Shell is what stands around every page. */
export function Shell({ title, at, shape = "wide", head, tools, bare, children }: Props) {
  const main = useRef<HTMLElement>(null);
  const offline = useOffline();
  // Who came here by a link hears the new page; on the first page the browser sees to that.
  useEffect(() => {
    if (location.pathname !== shown && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    shown = location.pathname;
  }, []);
  useEffect(() => {
    document.title = title === t.name ? title : `${title} · ${t.name}`;
  }, [title]);
  return (
    <div class="shell">
      <a class="skip button" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
        {t.shell.skip}
      </a>
      {offline && <div class="offline" role="status">{t.shell.offline}</div>}
      {!bare && <Top at={at} head={head} tools={tools} />}
      <main id="main" ref={main} tabIndex={-1} class={`main ${shape === "card" ? "card-page" : shape}`}>
        {children}
      </main>
      <Toasts />
    </div>
  );
}

function Top({ at, head, tools }: Pick<Props, "at" | "head" | "tools">) {
  const account = useAccount();
  return (
    <header class="top">
      <a class="brand" href="/" aria-label={head ? t.shell.websites : t.name}>
        <Logo />
        {!head && t.name}
      </a>
      {head}
      {!head && account && (
        <nav aria-label={t.shell.menu}>
          <a href="/" aria-current={at === "websites" ? "page" : undefined}>{t.shell.websites}</a>
          <a href="/account" aria-current={at === "account" ? "page" : undefined}>{t.shell.account}</a>
          {account.role === "admin" && <a href="/installation" aria-current={at === "installation" ? "page" : undefined}>{t.shell.installation}</a>}
        </nav>
      )}
      <span class="push" />
      {tools}
      {account === null && !/^\/(sign-in|setup)$/.test(location.pathname) && <a class="button quiet" href={signInPath()}>{t.shell.signIn}</a>}
      <MainMenu />
    </header>
  );
}

function MainMenu() {
  const account = useAccount();
  const [chosen, choose] = useState<Theme>(theme());
  const pick = (to: Theme) => {
    setTheme(to);
    choose(to);
  };
  const items: MenuItem[] = [];
  if (account) {
    items.push({ text: t.shell.websites, href: "/", group: account.email }, { text: t.shell.account, href: "/account", group: account.email });
    if (account.role === "admin") items.push({ text: t.shell.installation, href: "/installation", group: account.email });
  }
  for (const th of ["system", "light", "dark"] as const) {
    items.push({ text: t.shell.themes[th], chosen: chosen === th, onSelect: () => pick(th), group: t.shell.theme });
  }
  for (const [code, name] of Object.entries(languages)) {
    items.push({ text: name, chosen: (kept() || document.documentElement.lang.split("-")[0]) === code, onSelect: () => chooseLanguage(code), group: t.shell.language });
  }
  items.push({ text: t.shell.keys, hint: "?", onSelect: () => dispatchEvent(new Event("showkeys")), group: " " });
  items.push({ text: t.shell.documentation, href: "/docs", group: " " });
  if (account) items.push({ text: t.shell.signOut, onSelect: () => void signOut(), group: " " });
  return (
    <Menu label={t.shell.menu} kind="quiet square" items={items} align="end">
      <Icon name={account ? "user" : "more"} />
    </Menu>
  );
}

function useOffline(): boolean {
  const [offline, set] = useState(!navigator.onLine);
  useEffect(() => {
    const changed = () => set(!navigator.onLine);
    addEventListener("online", changed);
    addEventListener("offline", changed);
    return () => {
      removeEventListener("online", changed);
      removeEventListener("offline", changed);
    };
  }, []);
  return offline;
}
