import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ApiError } from "../../api/client";
import { asApiError } from "../../api/use";
import { explain } from "../../components/state";
import { setAccount } from "../../session";
import { t } from "../../texts";

export interface Sending {
  busy: boolean;
  error: ApiError | undefined;
  /** send does it, and tells whether it was done. What went wrong is in error. */
  send: (what: () => Promise<void>) => Promise<boolean>;
  /** What is wrong with a field: everything that the service says, a sentence a line. */
  field: (name: string) => string | undefined;
  /** forget takes back what was said about the last time. */
  forget: () => void;
}

/** useSending keeps what a form shows while and after it is sent. */
export function useSending({ signedIn = true } = {}): Sending {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const send = async (what: () => Promise<void>) => {
    setBusy(true);
    try {
      await what();
      setError(undefined);
      return true;
    } catch (e) {
      const wrong = asApiError(e);
      setError(wrong);
      if (signedIn && wrong.code === "unauthorized") setAccount(null); // the session has ended
      return false;
    } finally {
      setBusy(false);
    }
  };
  const field = (name: string) => error?.fields[name]?.map(sentence).join("\n");
  return { busy, error, send, field, forget: () => setError(undefined) };
}

/** sentence makes one of what the service says in the middle of others. */
export const sentence = (s: string) => s[0]!.toUpperCase() + s.slice(1) + (/[.!?…]$/.test(s) ? "" : ".");

/** said is a sentence of the service, in the reader's language if it is one of those that are known. */
export const said = (s: string) => (Object.hasOwn(t.said, s) ? t.said[s]! : s && sentence(s));

interface FormProps {
  sending: Sending;
  onSend: () => Promise<void>;
  onDone?: () => void;
  fields?: string[]; // whose errors are shown beside them
  silent?: boolean; // the error is shown elsewhere
  foot: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}

/** Form sends itself once at a time. If something is wrong with a field, the first such field gets the focus. */
export function Form({ sending, onSend, onDone, fields = [], silent, foot, class: more = "", children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (sending.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [sending.error]);
  const submit = async (e: Event) => {
    e.preventDefault();
    if (!sending.busy && (await sending.send(onSend))) onDone?.();
  };
  const shown = silent || fields.some((f) => sending.error?.fields[f]);
  return (
    <form ref={form} class={`form ${more}`} onSubmit={submit}>
      {children}
      {sending.error && !shown && <p class="form-error" role="alert">{explain(sending.error)}</p>}
      <div class="form-foot">{foot}</div>
    </form>
  );
}
