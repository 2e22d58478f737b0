// Who is signed in. Undefined is not known yet, null is nobody.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, del, get } from "./api/client";
import type { Account } from "./api/types";
import { asApiError } from "./api/use";
import { go } from "./router";

let account: Account | null | undefined;
let trouble: ApiError | undefined; // why it is not known
let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((l) => l());

export function setAccount(a: Account | null): void {
  account = a;
  trouble = undefined;
  tell();
}

// A service that cannot be reached has not said that nobody is signed in.
function notFound(e: unknown): void {
  trouble = asApiError(e);
  if (trouble.status === 401) setAccount(null);
  else tell();
}

export function useAccount(): Account | null | undefined {
  const [, draw] = useState(0);
  useEffect(() => {
    const changed = () => draw((n) => n + 1);
    listeners.add(changed);
    changed();
    return () => void listeners.delete(changed);
  }, []);
  if (account === undefined) {
    asking ??= get<Account>("/me").then(setAccount, notFound);
  }
  return account;
}

/** useAccountTrouble is why it is not known who is signed in, and asks again. */
export function useAccountTrouble(): { error: ApiError | undefined; retry: () => void } {
  useAccount();
  return { error: trouble, retry: askAgain };
}

function askAgain(): void {
  trouble = asking = undefined;
  tell();
}

export async function signOut(): Promise<void> {
  await del("/session");
  setAccount(null);
  go("/sign-in");
}

/** signInPath is where to sign in and come back here from. */
export const signInPath = (): string => "/sign-in?next=" + encodeURIComponent(location.pathname + location.search);
