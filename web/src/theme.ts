// Light or dark: the system's, unless somebody chose. Only the choice is remembered.
export type Theme = "system" | "light" | "dark";

const name = "footfall-theme";

export function theme(): Theme {
  const kept = storage()?.getItem(name);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function setTheme(t: Theme): void {
  if (t === "system") storage()?.removeItem(name);
  else storage()?.setItem(name, t);
  show(t);
}

/** show uses a theme without remembering it. */
export function show(t: Theme): void {
  const root = document.documentElement;
  if (t === "system") delete root.dataset.theme;
  else root.dataset.theme = t;
  dispatchEvent(new Event("themechange"));
}

/** onTheme calls back whenever colours may have changed. */
export function onTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  addEventListener("themechange", changed);
  return () => {
    system.removeEventListener("change", changed);
    removeEventListener("themechange", changed);
  };
}

// A frame of another website may have no storage.
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
