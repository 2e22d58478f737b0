import { beforeEach, describe, expect, test, vi } from "vitest";

// Spaces that do not break are spaces here.
const plain = (s: string) => s.replace(/[\u00a0\u202f\u2009]/g, " ");

async function inLocale(tag: string) {
  vi.resetModules();
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("localStorage", { getItem: () => null });
  const texts = await import("./texts");
  await texts.loadTexts([tag]);
  return import("./format");
}

describe("in English", () => {
  let f: typeof import("./format");
  beforeEach(async () => void (f = await inLocale("en-GB")));

  test("numbers", () => {
    expect(f.count(1234567)).toBe("1,234,567");
    expect(f.short(99_999)).toBe("99,999");
    expect(f.short(1_234_567)).toBe("1.23m");
    expect(f.ratio(2.4)).toBe("2.40");
    expect([0, 0.04, 0.06, 5, 9.94, 9.96, 42.4, 100].map(f.percent)).toEqual(["0%", "<0.1%", "0.1%", "5.0%", "9.9%", "10%", "42%", "100%"]);
    expect(f.points(0.66)).toBe("0.7 pp");
    expect(f.share(1, 0)).toBe(0);
  });

  test("sums with a unit", () => {
    expect(f.amount(49.9, "EUR")).toBe("€49.90");
    expect(f.amount(1846, "EUR")).toBe("€1,846");
    expect(f.amount(12.5, "km")).toBe("12.5 km");
    expect(f.amount(3, "")).toBe("3");
    expect(plain(f.amount(3, "ZZZ"))).toBe("ZZZ 3.00");
  });

  test("times", () => {
    expect([0, 59.4, 59.6, 142, 3600, 7384].map(f.duration)).toEqual(["0s", "59s", "1m 00s", "2m 22s", "1h 00m", "2h 03m"]);
  });

  test("days, whatever the reader's own zone is", () => {
    expect(f.day("2026-11-15")).toBe("15 Nov 2026");
    expect(f.month("2026-02")).toBe("February 2026");
    expect(f.hour("2026-11-15T15:00")).toBe("15:00");
    expect(plain(f.range("2026-11-01", "2026-11-15"))).toBe("1 – 15 Nov 2026");
    expect(f.weekday(0)).toBe("Mon");
    expect(f.weekday(6, "long")).toBe("Sunday");
  });

  test("plurals", () => {
    const forms = { one: "# visitor", other: "# visitors" };
    expect([0, 1, 2, 1000].map((n) => f.plural(n, forms))).toEqual(["0 visitors", "1 visitor", "2 visitors", "1,000 visitors"]);
  });

  test("how long ago", () => {
    const now = Date.parse("2026-11-15T12:00:00Z");
    expect(f.ago("2026-11-15T11:55:00Z", now)).toBe("5 minutes ago");
    expect(f.ago("2026-11-14T12:00:00Z", now)).toBe("yesterday");
  });

  test("values that people did not write stay as they are", () => {
    expect(f.nameOf("page", "<script>alert(1)</script>")).toBe("<script>alert(1)</script>");
    expect(f.nameOf("country", "Nowhere", "!!")).toBe("Nowhere");
    expect(f.nameOf("channel", "constructor")).toBe("constructor");
  });
});

describe("in German", () => {
  let f: typeof import("./format");
  beforeEach(async () => void (f = await inLocale("de-AT")));

  test("numbers, days and names of places", () => {
    expect(plain(f.count(1234567))).toBe("1 234 567"); // as in Austria
    expect(plain(f.percent(42))).toBe("42 %");
    expect(f.day("2026-11-15")).toBe("15. Nov. 2026");
    expect(f.duration(142)).toBe("2m 22s");
    expect(f.nameOf("country", "Germany", "DE")).toBe("Deutschland");
    expect(f.nameOf("language", "German", "de")).toBe("Deutsch");
    expect(f.nameOf("country", "Germany")).toBe("Deutschland"); // as in a filter
    expect(f.nameOf("source", "Direct / None")).toBe("Direkt / keine");
    expect(f.nameOf("channel", "Email")).toBe("E-Mail");
    expect(f.nameOf("event", "Email")).toBe("Email"); // somebody's own word
  });
});
