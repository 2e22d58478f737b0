// A breakdown as a file. One question has at most 1000 rows, so a long list is asked for page by page.
import { file, post } from "../api/client";
import type { Answer, Question, Row } from "../api/types";
import type { Base } from "./answers";

const perPage = 1000;
const maxPages = 100;

export const maxExported = perPage * maxPages;

/** What an export asks: all rows of the question, in its order, without a comparison. */
function pagesOf(base: Base, question: Question, total: number) {
  const { compare: _, ...rest } = base;
  const pages = Math.min(maxPages, Math.max(1, Math.ceil(total / perPage)));
  return Array.from({ length: pages }, (_, i) => ({ ...rest, questions: [{ ...question, limit: perPage, page: i + 1 }] }));
}

// Excel takes a file for one of another alphabet unless it begins with this.
const byteOrderMark = "\ufeff";

export async function asCSV(base: Base, question: Question, total: number): Promise<Blob> {
  const parts: string[] = [];
  for (const body of pagesOf(base, question, total)) {
    parts.push(await (await file("POST", "/query", { body, accept: "text/csv" })).text());
  }
  return new Blob([byteOrderMark, joinCSV(parts)], { type: "text/csv" });
}

export async function asJSON(domain: string, base: Base, question: Question, total: number): Promise<Blob> {
  const rows: Row[] = [];
  let answer: Answer | undefined;
  for (const body of pagesOf(base, question, total)) {
    answer = await post<Answer>("/query", body);
    rows.push(...answer.answers[0]!.rows);
  }
  const content = { domain, period: answer!.period, filters: base.filters ?? [], ...answer!.answers[0]!, rows };
  return new Blob([JSON.stringify(content, null, 2)], { type: "application/json" });
}

/** joinCSV puts pages together under the head of the first. */
export function joinCSV(parts: string[]): string {
  return parts.map((p, i) => (i === 0 ? p : p.slice(endOfRecord(p)))).join("");
}

// A head may hold line breaks within quotes: the name of a property is somebody's own.
function endOfRecord(csv: string): number {
  let quoted = false;
  for (let i = 0; i < csv.length; i++) {
    if (csv[i] === '"') quoted = !quoted;
    else if (csv[i] === "\n" && !quoted) return i + 1;
  }
  return csv.length;
}

/** fileName holds nothing that a system or a browser takes for something else. */
export const fileName = (domain: string, dimension: string, kind: string): string =>
  `footfall-${domain}-${dimension}`.replace(/[^a-zA-Z0-9._-]/g, "-").slice(0, 120) + "." + kind;
