import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { de } from "./de";
import { en } from "./en";

// Every text by its path; functions as what they say about an example.
function texts(of: unknown, path = ""): [string, string][] {
  if (typeof of === "string") return [[path, of]];
  if (typeof of === "function") return [[path, of("1", "2", "3")]];
  return Object.entries(of as object).flatMap(([k, v]) => texts(v, `${path}.${k}`));
}

test("a text that says something in English does so in every language", () => {
  const said = new Map(texts(de));
  for (const [path, text] of texts(en)) {
    expect(text, path).not.toContain("undefined");
    if (said.has(path)) expect(said.get(path) === "", path).toBe(text === "");
  }
});

test("every language has every text", () => {
  const paths = (l: object) => texts(l).map(([path]) => path).filter((p) => !p.startsWith(".values."));
  expect(paths(de)).toEqual(expect.arrayContaining(paths(en)));
});

test("what the service says to people in a few fixed sentences, it says in every language", () => {
  const source = (path: string) => readFileSync(new URL("../../../internal/" + path, import.meta.url), "utf8");
  const part = (text: string, from: string, to: RegExp) => text.slice(text.indexOf(from)).split(to)[0]!;
  const failures = part(source("webhook/webhook.go"), "What went wrong, in words", /\n}\n/) + part(source("app/reports.go"), "noMail() string", /\n}\n/);
  const said = [...failures.matchAll(/(?:errors\.New\(|return |Sprintf\()"([^"]+)"/g)].map(([, s]) => s!.replace("%d", "10"));
  expect(said.length).toBeGreaterThan(12);
  expect(Object.keys(de.said)).toEqual(expect.arrayContaining(said));
});
