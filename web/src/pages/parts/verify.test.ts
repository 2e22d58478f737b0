import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { verifiers } from "./verify";

// There it is run: internal/webhook/docs_test.go.
const documented = readFileSync(new URL("../../../../docs/alerts.md", import.meta.url), "utf8");

test.each(verifiers.map((v) => [v.text, v.code]))("the example in %s is the documented one", (_, code) => {
  expect(documented).toContain("\n" + code + "\n```");
});
