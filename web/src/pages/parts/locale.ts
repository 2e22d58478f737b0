import type { Account } from "../../api/types";
import { chooseLanguage, kept, languages, t } from "../../texts";

/** localeChoices are the languages that an account can have. */
export const localeChoices = () => [
  { value: "", text: t.account.localeBrowser },
  ...Object.entries(languages).map(([value, text]) => ({ value, text })),
];

/** followLocale shows the pages in the language of the account, which loads them anew if it is another one. */
export function followLocale(account: Account): void {
  const language = account.locale.split("-")[0]!;
  const shown = document.documentElement.lang.split("-")[0];
  if (language in languages && language !== (kept() || shown)) chooseLanguage(language);
}
