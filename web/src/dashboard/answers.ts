// The questions of a page, and what was answered. Whatever is not known yet is asked for in one request: all panels when
// the page opens or its filters change, one panel when its tab changes or it tries again.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { isAbort, post, type ApiError } from "../api/client";
import type { Answer, Days, Query, Question, Row, Table } from "../api/types";
import { asApiError } from "../api/use";

export type Base = Omit<Query, "questions">;

export interface Found {
  table: Table;
  totals: Row; // of everything that the filters keep
  period: Days;
  comparison: Days | undefined;
  partial: boolean;
}

export interface Panel {
  found: Found | undefined; // that of an earlier question, while the present one is under way
  stale: boolean; // it is that of an earlier one
  error: ApiError | undefined;
  retry: () => void;
}

const maxKept = 200;
const maxAge = 5 * 60_000;
const kept = new Map<string, { found: Found; at: number }>();

function keep(key: string, found: Found): void {
  kept.delete(key);
  kept.set(key, { found, at: Date.now() });
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
}

/** forget is for after a change that old answers do not show. */
export const forget = (): void => kept.clear();

/** useAnswers answers questions by name. every asks again after so many seconds, without a flicker. */
export function useAnswers(base: Base | undefined, questions: Record<string, Question>, every = 0): Record<string, Panel> {
  const keys = useMemo(() => {
    const of = base && JSON.stringify(base);
    return of ? Object.fromEntries(Object.entries(questions).map(([id, q]) => [id, of + JSON.stringify(q)])) : {};
  }, [JSON.stringify([base, questions])]);
  const [, draw] = useState(0);
  const last = useRef<Record<string, Found>>({});
  const errors = useRef(new Map<string, ApiError>());
  const underWay = useRef(new Map<AbortController, string[]>());

  const ask = useCallback(
    async (ids: string[]) => {
      const control = new AbortController();
      underWay.current.set(control, ids.map((id) => keys[id]!));
      try {
        const answer = await post<Answer>("/query", { ...base!, questions: ids.map((id) => questions[id]!) }, { signal: control.signal });
        const { totals, period, comparison, partial } = answer;
        ids.forEach((id, i) => {
          errors.current.delete(keys[id]!);
          keep(keys[id]!, { table: answer.answers[i]!, totals, period, comparison, partial });
        });
      } catch (e) {
        if (!isAbort(e)) ids.forEach((id) => errors.current.set(keys[id]!, asApiError(e)));
      } finally {
        underWay.current.delete(control);
        if (!control.signal.aborted) draw((n) => n + 1);
      }
    },
    [keys],
  );

  useLayoutEffect(() => {
    const wanted = Object.values(keys);
    for (const [control, asked] of underWay.current) {
      if (!asked.some((key) => wanted.includes(key))) {
        control.abort();
        underWay.current.delete(control);
      }
    }
    const asked = [...underWay.current.values()].flat();
    errors.current.clear();
    const missing = Object.keys(keys).filter((id) => !fresh(keys[id]!) && !asked.includes(keys[id]!));
    if (missing.length > 0) void ask(missing);
  }, [keys]);

  useEffect(() => {
    if (!every || Object.keys(keys).length === 0) return;
    const timer = setInterval(() => document.hidden || void ask(Object.keys(keys)), every * 1000);
    return () => clearInterval(timer);
  }, [keys, every]);

  useEffect(() => () => underWay.current.forEach((_, control) => control.abort()), []);

  const shown: Record<string, Panel> = {};
  for (const id of Object.keys(questions)) {
    const key = keys[id];
    const now = key ? kept.get(key)?.found : undefined;
    if (now) last.current[id] = now;
    const error = key && !now ? errors.current.get(key) : undefined;
    const retry = () => {
      if (!key) return;
      errors.current.delete(key);
      draw((n) => n + 1);
      void ask([id]);
    };
    shown[id] = { found: now ?? last.current[id], stale: !now, error, retry };
  }
  return shown;
}

function fresh(key: string): boolean {
  const there = kept.get(key);
  return there !== undefined && Date.now() - there.at < maxAge;
}
