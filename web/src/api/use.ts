import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiError, isAbort } from "./client";

export interface Asked<T> {
  data: T | undefined; // stays while the next is loading
  error: ApiError | undefined;
  loading: boolean;
  retry: () => void;
}

/**
 * useAsk loads something whenever key changes, and gives up what was under way. No key, nothing to load.
 * every repeats it after so many seconds, as long as the page is looked at.
 */
export function useAsk<T>(key: string | null, load: (signal: AbortSignal) => Promise<T>, every = 0): Asked<T> {
  const [state, set] = useState<{ key?: string; data?: T; error?: ApiError; loading: boolean }>({ loading: key !== null });
  const [turn, setTurn] = useState(0);
  const loader = useRef(load);
  loader.current = load;

  // Before the browser paints: on a busy machine an effect after it comes 50 ms later.
  useLayoutEffect(() => {
    if (key === null) return;
    const control = new AbortController();
    set((s) => ({ ...s, loading: true }));
    loader.current(control.signal).then(
      (data) => control.signal.aborted || set({ key, data, loading: false }),
      (e) => isAbort(e) || control.signal.aborted || set((s) => ({ ...s, error: asApiError(e), loading: false })),
    );
    return () => control.abort();
  }, [key, turn]);

  useEffect(() => {
    if (!every) return;
    const timer = setInterval(() => document.hidden || setTurn((n) => n + 1), every * 1000);
    return () => clearInterval(timer);
  }, [every]);

  const retry = useCallback(() => setTurn((n) => n + 1), []);
  return { data: state.data, error: state.error, loading: state.loading, retry };
}

export function asApiError(e: unknown): ApiError {
  if (e instanceof ApiError) return e;
  console.error(e);
  return new ApiError(0, "internal", "");
}
