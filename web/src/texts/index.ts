// The texts of the reader's language. t is set before anything is drawn; a change of language loads the page anew.
import { en, type Texts } from "./en";

export type { Texts };
export let t: Texts = en;

/** locale is how numbers and dates are written: the reader's own way as far as it is in the language of the texts. */
export let locale = "en";

const others: Record<string, () => Promise<Texts>> = {
  de: async () => (await import("./de")).de,
};

export const languages = { en: "English", de: "Deutsch" };

const name = "footfall-language";

export async function loadTexts(wanted: readonly string[] = navigator.languages): Promise<void> {
  const chosen = kept();
  for (const tag of chosen ? [chosen, ...wanted] : wanted) {
    const language = tag.split("-")[0]!.toLowerCase();
    const load = others[language];
    if (!load && language !== "en") continue;
    if (load) t = await load();
    locale = wanted.find((w) => w.toLowerCase().startsWith(language)) ?? language;
    break;
  }
  document.documentElement.lang = locale;
}

/** chooseLanguage remembers a language; "" is the browser's. */
export function chooseLanguage(language: string): void {
  try {
    if (language) localStorage.setItem(name, language);
    else localStorage.removeItem(name);
  } catch {
    return; // no storage, no choice
  }
  location.reload();
}

export function kept(): string {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}
