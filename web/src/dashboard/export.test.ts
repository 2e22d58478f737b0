import { afterEach, expect, test, vi } from "vitest";
import { asCSV, asJSON, fileName, joinCSV } from "./export";

afterEach(() => vi.unstubAllGlobals());

test("pages of a file have one head", () => {
  expect(joinCSV(["page,n\n/,3\n", "page,n\n/a,2\n", "page,n\n"])).toBe("page,n\n/,3\n/a,2\n");
});

test("a head may hold line breaks and quotes", () => {
  const head = '"prop:a\n""b""",n\n';
  expect(joinCSV([head + "x,1\n", head + "y,1\n"])).toBe(head + "x,1\ny,1\n");
});

test("a long list is asked for page by page, in its order, without the comparison", async () => {
  const asked: { compare?: unknown; questions: { page: number; limit: number; search?: string }[] }[] = [];
  vi.stubGlobal("fetch", async (_: string, o: { body: string }) => {
    asked.push(JSON.parse(o.body));
    return new Response("page,n\nrow,1\n");
  });
  const base = { website_id: 1, period: "30d", compare: "previous_period" as const };
  const made = await asCSV(base, { dimension: "page", metrics: ["pageviews"], search: "x", limit: 50, page: 3 }, 2001);
  expect(asked.map((a) => [a.questions[0]!.page, a.questions[0]!.limit, a.questions[0]!.search, a.compare])).toEqual([
    [1, 1000, "x", undefined], [2, 1000, "x", undefined], [3, 1000, "x", undefined],
  ]);
  const bytes = new Uint8Array(await made.arrayBuffer());
  expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe("\ufeffpage,n\nrow,1\nrow,1\nrow,1\n");
});

test("JSON has the rows of all pages", async () => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({
    data: { period: { from: "2026-01-01", to: "2026-01-31" }, answers: [{ dimension: "page", metrics: ["pageviews"], rows: [{ value: "/", pageviews: 1 }], total: 1500 }] },
  })));
  const made = JSON.parse(await (await asJSON("example.com", { website_id: 1, period: "month" }, { dimension: "page", metrics: ["pageviews"] }, 1500)).text());
  expect(made).toMatchObject({ domain: "example.com", dimension: "page", period: { from: "2026-01-01" }, total: 1500 });
  expect(made.rows).toHaveLength(2);
});

test("a file's name is plain, whatever the dimension is called", () => {
  expect(fileName("example.com", "prop:../../x\r\n\"; rm", "csv")).toBe("footfall-example.com-prop-..-..-x-----rm.csv");
});
