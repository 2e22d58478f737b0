// What stands where there is nothing to show: not yet, not at all, or not this time.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { ApiError, Code } from "../api/client";
import { signInPath } from "../session";
import { t } from "../texts";
import { Button } from "./button";

export function Loading() {
  return (
    <div class="state loading" role="status">
      <span class="unseen">{t.shell.loading}</span>
    </div>
  );
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="state empty">{children}</div>;
}

// What passes by itself is tried again by itself.
const passing: Code[] = ["offline", "unavailable", "too_many_requests"];

export function Failed({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  useEffect(() => {
    if (!onRetry || !passing.includes(error.code)) return;
    const timer = setTimeout(onRetry, 1000 * Math.min(60, Math.max(5, error.retryAfter)));
    addEventListener("online", onRetry);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", onRetry);
    };
  }, [error]);
  const signedOut = error.code === "unauthorized";
  return (
    <div class="state failed" role="alert">
      <p>{signedOut ? t.errors.signedOut : explain(error)}</p>
      {signedOut && <a class="button" href={signInPath()}>{t.shell.signIn}</a>}
      {onRetry && !signedOut && <Button onClick={onRetry}>{t.errors.retry}</Button>}
    </div>
  );
}

/** What to tell people about an error. What the service says to be read, they read; the rest is in our words. */
export function explain(e: ApiError): string {
  switch (e.code) {
    case "offline":
      return t.errors.offline;
    case "unavailable":
      return t.errors.unavailable + (e.retryAfter > 0 ? " " + t.errors.retryIn(e.retryAfter) : "");
    case "too_many_requests":
      return t.errors.tooMany + (e.retryAfter > 0 ? " " + t.errors.retryIn(e.retryAfter) : "");
    case "internal":
      return e.message || t.errors.internal;
    case "unreadable":
      return t.errors.unreadable;
    default:
      return e.message || t.errors.failed;
  }
}

/** A whole page that says one thing. */
export function Notice({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="notice">
      <h1>{title}</h1>
      {children}
    </div>
  );
}
