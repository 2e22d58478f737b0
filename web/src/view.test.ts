import { expect, test } from "vitest";
import { negated, searchOf, toggled, viewOf, withFilter, type View } from "./view";

const read = (s: string) => viewOf(new URLSearchParams(s));
const usual = read("");

test("what is usual is not in the address", () => {
  expect(searchOf(usual)).toBe("");
  expect(usual).toMatchObject({ period: "30d", compare: "previous", metric: "visitors", filters: [], list: undefined });
});

test("everything survives the way to the address and back", () => {
  const full: View = {
    period: { from: "2026-01-01", to: "2026-03-31" },
    compare: "year",
    metric: "bounce_rate",
    bucket: "week",
    filters: [
      { dimension: "country", op: "is", values: ["Germany", "Côte d’Ivoire"] },
      { dimension: "page", op: "is_not", values: ["/a?b=c&d=e#f", "/ü:x/"] },
      { dimension: "prop:a:b %", op: "is", values: ["x:y", ""] },
      { dimension: "referrer", op: "contains", values: ["news"] },
      { dimension: "city", op: "not_contains", values: ["a,b"] },
    ],
    tabs: { sources: "campaign", places: "country" },
    prop: "plan",
    list: { dimension: "page", search: "a b", order: "pageviews", up: true, page: 3 },
    embed: true,
  };
  expect(read(searchOf(full))).toEqual(full);
});

test("filters can be read by people", () => {
  const v = { ...usual, filters: withFilter([], "page", "is", "/blog/a") };
  expect(searchOf(v)).toBe("?is=page:/blog/a");
});

test("junk in the address is the usual view", () => {
  for (const s of ["period=never", "from=2026-02-30&to=2026-03-01", "from=2026-03-02&to=2026-03-01", "metric=revenue", "by=decade", "compare=%00", "is=nothing", "is=:x", "n=-3"]) {
    expect(searchOf(read(s))).toBe("");
  }
});

test("a list's page is a whole number from 1", () => {
  for (const n of ["0", "-1", "1.5", "x", ""]) expect(read("list=page&n=" + n).list?.page).toBe(1);
  expect(read("list=page&n=4&sort=value").list).toMatchObject({ page: 4, order: "value", up: true });
});

test("a click on a row adds its filter, another takes it away", () => {
  const one = toggled([], "country", "Germany");
  const two = toggled(one, "country", "France");
  expect(two).toEqual([{ dimension: "country", op: "is", values: ["Germany", "France"] }]);
  expect(toggled(toggled(two, "country", "Germany"), "country", "France")).toEqual([]);
});

test("a filter turned round joins those of its kind", () => {
  const filters = [
    { dimension: "country", op: "is" as const, values: ["Germany"] },
    { dimension: "country", op: "is_not" as const, values: ["France"] },
  ];
  expect(negated(filters, 0)).toEqual([{ dimension: "country", op: "is_not", values: ["France", "Germany"] }]);
  expect(negated(negated([filters[0]!], 0), 0)).toEqual([filters[0]]);
});
