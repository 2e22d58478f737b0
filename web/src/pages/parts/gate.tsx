// Who may be here, and what was asked for: pages begin behind these.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Account } from "../../api/types";
import type { Asked } from "../../api/use";
import { Failed, Loading } from "../../components/state";
import { go } from "../../router";
import { setAccount, signInPath, useAccount, useAccountTrouble } from "../../session";

/** SignedIn draws for the account that is signed in. Who is not goes to sign in, and comes back. */
export function SignedIn({ children }: { children: (account: Account) => ComponentChildren }) {
  const account = useAccount();
  const trouble = useAccountTrouble();
  useEffect(() => {
    if (account === null) go(location.pathname === "/" && !location.search ? "/sign-in" : signInPath(), { replace: true });
  }, [account]);
  if (account) return <>{children(account)}</>;
  return trouble.error ? <Failed error={trouble.error} onRetry={trouble.retry} /> : <Loading />;
}

/** Found draws what was asked for once it is there; until then that it is coming, or why it is not. */
export function Found<T>({ asked, children }: { asked: Asked<T>; children: (data: T) => ComponentChildren }) {
  useEnded(asked);
  if (asked.data !== undefined) return <>{children(asked.data)}</>;
  return asked.error && !asked.loading ? <Failed error={asked.error} onRetry={asked.retry} /> : <Loading />;
}

/** useEnded notices that a session has ended meanwhile. */
export function useEnded(asked: Asked<unknown>): void {
  const ended = asked.error?.code === "unauthorized";
  useEffect(() => {
    if (ended) setAccount(null);
  }, [ended]);
}
