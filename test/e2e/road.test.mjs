// The whole road: a page in a real browser, the tracker, the real service, and its statistics over the public interface.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./support/browser.mjs";
import { start } from "./support/service.mjs";
import { serve } from "./support/site.mjs";

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0";
const sites = {
  "ours.example": (url) => `<script defer src="${url}/js/script.js"></script>`,
  "plausible.example": (url) => `<script defer data-domain="plausible.example" src="${url}/js/script.outbound-links.js"></script>`,
  "phpanalytics.example": (url) => `<script data-host="${url}" data-dnt="false" src="${url}/js/script.js" id="ZwSg9rf6GA" async defer></script>`,
};
// How a page of each site reports a sale, in the words of the tracker that its tag is of.
const sale = {
  "ours.example": () => footfall("Signup", { value: 49.9, unit: "EUR" }),
  "plausible.example": () => plausible("Signup", { revenue: { amount: 49.9, currency: "EUR" } }),
  "phpanalytics.example": () => pa.track({ name: "Signup", value: 49.9, unit: "EUR" }),
};

let service, site, browser;
before(async () => {
  service = await start();
  site = await serve(({ url }) => {
    if (url.pathname == "/favicon.ico") return { status: 204 };
    const [, www, domain] = /^(www\.)?(.*)/.exec(url.hostname);
    // Chromium sends client hints to loopback addresses, and not to a host without TLS: those who come by www have none, as
    // Firefox has none. The service takes a Firefox that has them for a bot.
    const tag = sites[domain](www ? `http://stats.example:${service.port}` : service.url);
    return `<!doctype html><title>${url.pathname}</title>${tag}<p>${url.pathname}`;
  });
  browser = await launch();
});
after(async () => {
  await browser.close();
  site.close();
  await service.stop();
});

// comeBy is a visitor: from an address, with a browser, languages and a screen. It waits for each answer of the service.
async function comeBy(address, options, walk) {
  const context = await browser.newContext({ ...options, extraHTTPHeaders: { "X-Forwarded-For": address } });
  const page = await context.newPage();
  const dropped = [];
  page.on("response", (r) => r.headers()["x-dropped"] && dropped.push(r.headers()["x-dropped"]));
  const counted = async (name, act) => {
    const accepted = page.waitForResponse((r) => r.url().endsWith("/api/event") && r.request().method() == "POST" && JSON.parse(r.request().postData()).n == name);
    await act();
    assert.equal((await accepted).status(), 202);
  };
  await walk(page, counted);
  await context.close();
  assert.deepEqual(dropped, []);
}

async function walk(domain) {
  await comeBy("141.20.1.1", { locale: "de-DE", screen: { width: 1920, height: 1080 } }, async (page, counted) => {
    await counted("pageview", () => page.goto(site.at(domain, "/?utm_campaign=spring&color=red"), { referer: "https://www.google.com/" }));
    await counted("pageview", () => page.evaluate(() => history.pushState({}, "", "/pricing")));
    await counted("pageview", () => page.evaluate(() => history.pushState({}, "", "/docs")));
    await counted("Signup", () => page.evaluate(sale[domain]));
  });
  await comeBy("8.8.8.8", { locale: "en-US", screen: { width: 1366, height: 768 }, userAgent: firefox }, async (page, counted) => {
    await counted("pageview", () => page.goto(site.at(`www.${domain}`, "/pricing")));
  });
}

const today = () => new Date().toISOString().slice(0, 10);

// rows are a statistic's values with their counts, in the order of the values.
async function rows(id, name, from) {
  const { data } = await service.ask(`/api/v1/stats/${id}?name=${name}&from=${from}&to=${today()}&sort_by=value&sort=asc`);
  return data.map((row) => (row.revenue ? [row.value, row.count, row.revenue] : [row.value, row.count]));
}

// loaded waits until the store has what was accepted.
async function loaded(id, from) {
  for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const [views, events] = [await rows(id, "pageviews", from), await rows(id, "event", from)];
    if (views.reduce((sum, row) => sum + row[1], 0) >= 4 && events.length >= 1) return;
  }
}

for (const domain of Object.keys(sites)) {
  test(`a walk through ${domain} is in each of the seventeen statistics`, async () => {
    const from = today();
    const begin = new Date();
    const { id } = await service.website(domain);
    await walk(domain);
    await loaded(id, from);

    const want = {
      browser: [["Chrome", 1], ["Firefox", 1]],
      campaign: [["spring", 1]],
      city: [["Berlin, Germany", 1], ["Mountain View, United States", 1]],
      continent: [["Europe", 1], ["North America", 1]],
      country: [["Germany", 1], ["United States", 1]],
      device: [["Desktop", 2]],
      event: [["Signup", 1, { EUR: 49.9 }]],
      landing_page: [["/?color=red", 1], ["/pricing", 1]],
      language: [["English", 1], ["German", 1]],
      os: [["Linux", 1], ["Windows", 1]],
      page: [["/?color=red", 1], ["/docs", 1], ["/pricing", 2]],
      referrer: [["Direct / None", 1], ["google.com", 1]],
      resolution: [["1366x768", 1], ["1920x1080", 1]],
    };
    for (const [name, expected] of Object.entries(want)) assert.deepEqual(await rows(id, name, from), expected, name);

    // A walk may go past the end of an hour, or of a day.
    const days = [...new Set([from, today()])];
    const hours = [...new Set([begin, new Date()].map((t) => t.toISOString().slice(11, 13)))];
    for (const [name, total, values] of [["pageviews", 4, days], ["visitors", 2, days], ["pageviews_hours", 4, hours], ["visitors_hours", 2, hours]]) {
      const got = await rows(id, name, from);
      assert.ok(got.every(([value]) => values.includes(value)), `${name} has ${JSON.stringify(got)}`);
      if (values.length == 1) assert.deepEqual(got, [[values[0], total]], name);
      else assert.ok(got.reduce((sum, row) => sum + row[1], 0) >= total, name);
    }
  });
}
