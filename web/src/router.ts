// Where we are. The URL is the whole state: pages read it, and change it with go.
import { useEffect, useState } from "preact/hooks";

export type Route =
  | { page: "websites" | "sign-in" | "setup" | "account" | "installation" | "nowhere" }
  | { page: "dashboard" | "settings"; domain: string };

const fixed = ["sign-in", "setup", "account", "installation"] as const;

/** match finds the page of a path. The service knows the same paths: internal/httpapi/static.go. */
export function match(path: string): Route {
  const parts = path.split("/").slice(1).map(decode);
  const [first = "", second, ...more] = parts;
  if (first === "" && second === undefined) return { page: "websites" };
  const page = fixed.find((p) => p === first);
  if (page && second === undefined) return { page };
  if (!first.includes(".") && first !== "localhost") return { page: "nowhere" };
  if (second === undefined) return { page: "dashboard", domain: first };
  if (second === "settings" && more.length === 0) return { page: "settings", domain: first };
  return { page: "nowhere" };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Listener = () => void;
const listeners = new Set<Listener>();
const tell = () => listeners.forEach((l) => l());

/** go leads to an address of ours. replace leaves no step for the way back. */
export function go(to: string, { replace = false } = {}): void {
  const here = location.pathname;
  if (to === location.pathname + location.search + location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", to);
  if (location.pathname !== here) scrollTo(0, 0);
  tell();
}

/** useURL is the address, and draws again when it changes. */
export function useURL(): URL {
  const [url, set] = useState(() => new URL(location.href));
  useEffect(() => {
    const changed = () => set(new URL(location.href));
    listeners.add(changed);
    changed();
    return () => void listeners.delete(changed);
  }, []);
  return url;
}

/** startRouter makes ordinary links lead to pages without loading anew: every <a href="/…"> is one. */
export function startRouter(): void {
  addEventListener("popstate", tell);
  document.addEventListener("click", (e) => {
    const link = (e.target as Element | null)?.closest?.("a");
    if (!link || e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    if (link.target || link.hasAttribute("download") || link.origin !== location.origin || !isOurs(link.pathname)) return;
    e.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

const isOurs = (path: string) => match(path).page !== "nowhere";
