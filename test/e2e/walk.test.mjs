// The whole product, as its owner meets it: first start, account, website, first visitor, dashboard, sharing, sign-out.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch } from "./support/browser.mjs";
import { parse } from "./support/csv.mjs";
import { lookAt, settled, show } from "./support/people.mjs";
import { startEmpty } from "./support/service.mjs";
import { serve } from "./support/site.mjs";

const domain = "shop.example";
let service, site, browser;
let me; // the owner's tab
let tag = ""; // what the product says to put on the website
const other = { frame: "" }; // what another website shows in a frame

before(async () => {
  service = await startEmpty();
  site = await serve(({ url }) => {
    if (url.pathname == "/favicon.ico") return { status: 204 };
    if (url.hostname == domain) return `<!doctype html><title>Shop</title><head>${tag}</head><h1>${url.pathname}</h1>`;
    if (url.hostname == "blog.example") return `<!doctype html><title>Blog</title><iframe src="${other.frame}" width="1000" height="800"></iframe>`;
  });
  browser = await launch();
  me = await lookAt(browser, service, { permissions: ["clipboard-read", "clipboard-write"], acceptDownloads: true });
});
after(async () => {
  await browser?.close();
  site?.close();
  await service?.stop();
});

// visit is somebody who comes by, reads pages of the website, and does something on the last.
async function visit(address, paths, options = {}, act = async () => {}) {
  const context = await browser.newContext({ ...options, extraHTTPHeaders: { "X-Forwarded-For": address } });
  const page = await context.newPage();
  for (const [i, path] of paths.entries()) {
    const counted = page.waitForResponse((r) => r.url() == service.url + "/api/event" && r.request().postData().includes('"pageview"'));
    if (i == 0) await page.goto(site.at(domain, path), { referer: "https://www.google.com/" });
    else await page.evaluate((to) => history.pushState({}, "", to), path);
    const answer = await counted;
    assert.equal(answer.status(), 202);
    assert.equal(answer.headers()["x-dropped"], undefined);
  }
  await act(page);
  await context.close();
}

const button = (page, name) => page.getByRole("button", { name, exact: true });
const heading = (page, name) => page.getByRole("heading", { name }).waitFor();
const visitors = (page) => page.locator(".figure.visitors b").textContent();
const panel = (page, name) => page.getByRole("region", { name, exact: true });
const search = (page) => new URL(page.url()).searchParams;

// same tells that the address alone brings a page back, in this tab and in another.
async function same(look) {
  const here = await look(me);
  await me.reload();
  await settled(me);
  assert.deepEqual(await look(me), here, "after a reload");
  const context = await browser.newContext({ storageState: await me.context().storageState(), locale: "en-GB", timezoneId: "Europe/Berlin", viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await show(page, me.url());
  assert.deepEqual(await look(page), here, "from a link");
  await context.close();
}

test("the link of the first start makes the account, once", async () => {
  await me.goto(service.link);
  await heading(me, "Create your account");
  await me.getByLabel("Email").fill("anna@example.com");
  await me.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await button(me, "Create account").click();
  await heading(me, "Add your website");
  assert.ok(!me.url().includes("fft_"), "the token is still in the address");

  const late = await lookAt(browser, service);
  await late.goto(service.link);
  await heading(late, "The first account has been made");
  await late.context().close();
});

test("a website is added, and what is wrong with its name is said", async () => {
  await me.getByLabel("Domain").fill("no domain!");
  await button(me, "Add website").click();
  await me.locator(".error", { hasText: /domain/i }).waitFor();
  await me.getByLabel("Domain").fill(domain);
  await button(me, "Add website").click();
  await heading(me, "Put the snippet on your website");
  await me.getByText("Waiting for the first hit").waitFor();
});

test("the snippet counts on a real page, and the first hit appears by itself", async () => {
  const snippet = me.getByLabel("Snippet for your website");
  assert.match(await snippet.textContent(), new RegExp(`^<script defer data-domain="${domain}" src="${service.url}/js/script.js"></script>$`));
  await me.getByText("Options", { exact: true }).click();
  await me.getByLabel("Local addresses").check();
  await button(me, "Copy").click();
  await me.getByText("Copied").waitFor();
  tag = await me.evaluate(() => navigator.clipboard.readText());
  assert.match(tag, /data-local/);
  assert.equal(tag, await snippet.textContent());

  await visit("141.20.1.1", ["/?utm_campaign=spring", "/pricing"], { screen: { width: 1920, height: 1080 } });
  await me.getByText("The first hit is here!").waitFor();
  await me.getByRole("link", { name: "Open the dashboard" }).click();
  await panel(me, "Pages").getByRole("button", { name: "/pricing" }).waitFor();
  assert.equal(new URL(me.url()).pathname, "/" + domain);
  assert.equal(await visitors(me), "1");
});

test("the dashboard shows who came, from where and with what", async () => {
  await visit("8.8.8.8", ["/docs"], { screen: { width: 1366, height: 768 } });
  await show(me, service.url + "/" + domain);
  assert.equal(await visitors(me), "2");
  for (const [name, value] of [["Sources", "Google"], ["Pages", "/docs"], ["Devices", "Chrome"]]) {
    await panel(me, name).getByRole("button", { name: value, exact: true }).waitFor();
  }
  await panel(me, "Sources").getByRole("tab", { name: "Campaigns" }).click();
  await panel(me, "Sources").getByRole("button", { name: "spring" }).waitFor();
  assert.equal(search(me).get("sources"), "campaign");
  await same((page) => panel(page, "Sources").locator("tbody").textContent());
});

test("a click filters, a chip shows it and turns it round, and the way back leads back", async () => {
  await show(me, `${service.url}/${domain}?devices=resolution`);
  const chip = me.locator(".chip");
  await panel(me, "Pages").getByRole("button", { name: "/pricing", exact: true }).click();
  await chip.waitFor();
  await settled(me);
  assert.equal(search(me).get("is"), "page:/pricing");
  assert.equal(await visitors(me), "1");
  await same(async (page) => [await page.locator(".chips").textContent(), await visitors(page), await panel(page, "Devices").locator("tbody").textContent()]);

  await me.getByRole("button", { name: "Turn round: Page is /pricing" }).click();
  await me.locator(".chip.not").waitFor();
  await settled(me);
  assert.equal(search(me).get("not"), "page:/pricing");
  await panel(me, "Devices").getByRole("button", { name: "1366x768" }).waitFor();
  assert.equal(await panel(me, "Pages").getByRole("button", { name: "/pricing", exact: true }).count(), 0);

  await me.goBack();
  await me.locator(".chip:not(.not)").waitFor();
  await settled(me);
  assert.equal(await visitors(me), "1");
  await panel(me, "Devices").getByRole("button", { name: "1920x1080" }).click();
  await me.waitForFunction(() => document.querySelectorAll(".chip").length == 2);
  await button(me, "Clear all").click();
  await me.waitForFunction(() => document.querySelectorAll(".chip").length == 0);
  await settled(me);
  assert.equal(await visitors(me), "2");
});

test("periods and comparison are in the address", async () => {
  await show(me, service.url + "/" + domain);
  await me.getByRole("button", { name: "Period: Last 30 days" }).click();
  await me.getByRole("menuitemradio", { name: "Today" }).click();
  await settled(me);
  assert.equal(search(me).get("period"), "today");
  await same((page) => visitors(page));
  await me.getByRole("button", { name: "Earlier" }).click();
  await settled(me);
  assert.equal(await visitors(me), "0");
  await me.goBack();
  await settled(me);
  assert.equal(await visitors(me), "2");
});

test("the last 24 hours are a period of their own, by the hour", async () => {
  await show(me, service.url + "/" + domain);
  await me.keyboard.press("h");
  await me.getByRole("button", { name: "Period: Last 24 hours" }).waitFor();
  await settled(me);
  assert.equal(search(me).get("period"), "24h");
  assert.equal(await visitors(me), "2");
  const hours = await me.locator(".graph table tbody tr").count();
  assert.ok(hours == 24 || hours == 23, `${hours} hours`); // 23 on the day that the clock is set back
  await same(async (page) => [await visitors(page), await page.locator(".graph table tbody tr").count()]);
  assert.ok(await button(me, "Later").isDisabled());
  await button(me, "Earlier").click();
  await settled(me);
  assert.equal(search(me).get("period"), "yesterday");
});

test("a panel opens to its full list, which can be searched and exported", async () => {
  await show(me, service.url + "/" + domain);
  await button(me, "Show all: Pages").click();
  const list = me.getByRole("dialog", { name: "Page" });
  await list.getByRole("button", { name: "/docs" }).waitFor();
  assert.equal(await list.locator("tbody tr").count(), 3);
  await list.getByRole("searchbox").fill("pric");
  await me.waitForFunction(() => document.querySelectorAll("dialog tbody tr").length == 1);
  assert.deepEqual([search(me).get("list"), search(me).get("q")], ["page", "pric"]);
  await same((page) => page.locator("dialog tbody").textContent());

  await me.getByRole("dialog").getByRole("searchbox").fill("");
  await me.waitForFunction(() => document.querySelectorAll("dialog tbody tr").length == 3);
  const file = async (name) => {
    const download = me.waitForEvent("download");
    await me.getByRole("dialog").getByRole("button", { name: "Export" }).click();
    await me.getByRole("menuitem", { name }).click();
    const found = await download;
    return [found.suggestedFilename(), await readFile(await found.path(), "utf8")];
  };
  const [csvName, csv] = await file("As CSV");
  const [jsonName, json] = await file("As JSON");
  assert.deepEqual([csvName, jsonName], ["footfall-shop.example-page.csv", "footfall-shop.example-page.json"]);
  const rows = JSON.parse(json).rows;
  assert.deepEqual(rows.map((r) => [r.value, r.pageviews]), [["/", 1], ["/docs", 1], ["/pricing", 1]].sort());
  assert.equal(csv[0], "\ufeff", "without it Excel does not read the file as UTF-8");
  const [head, ...cells] = parse(csv);
  const of = (name) => head.findIndex((h) => h.toLowerCase().replaceAll(" ", "_") == name);
  assert.deepEqual(cells.map((c) => [c[of("page")], Number(c[of("pageviews")])]).sort(), rows.map((r) => [r.value, r.pageviews]).sort());
  await me.keyboard.press("Escape");
  await me.waitForFunction(() => !document.querySelector("dialog"));
  assert.equal(search(me).get("list"), null);
});

test("properties are listed by name, show their values, and these filter", async () => {
  await visit("8.8.8.8", ["/docs"], { screen: { width: 1366, height: 768 } }, async (page) => {
    for (const plan of ["pro", "free"]) {
      const counted = page.waitForResponse((r) => r.url() == service.url + "/api/event" && r.request().postData().includes(`"${plan}"`));
      await page.evaluate((plan) => footfall("Signup", { props: { plan, ...(plan == "pro" && { team: "yes" }) } }), plan);
      assert.equal((await counted).status(), 202);
    }
  });
  await show(me, `${service.url}/${domain}?events=property`);
  const events = panel(me, "Events");
  const rows = (page) => panel(page, "Events").locator("tbody tr").allTextContents();
  assert.deepEqual(await rows(me), ["plan2100%", "team150%"]);
  await events.getByRole("button", { name: "plan", exact: true }).click();
  await events.getByRole("button", { name: "pro", exact: true }).waitFor();
  assert.equal(search(me).get("prop"), "plan");
  assert.deepEqual(await rows(me), ["free150%", "pro150%"]);
  await same(rows);
  await events.getByRole("button", { name: "pro", exact: true }).click();
  await me.locator(".chip").waitFor();
  await settled(me);
  assert.equal(search(me).get("is"), "prop:plan:pro");
  assert.equal(await visitors(me), "1");
  await events.getByRole("button", { name: "All properties" }).click();
  await events.getByRole("button", { name: "team", exact: true }).waitFor();
  await settled(me);
  assert.deepEqual(await rows(me), ["plan1100%", "team1100%"]);

  await button(me, "Show all: Properties").click();
  await me.getByRole("dialog", { name: "Property" }).getByRole("button", { name: "team", exact: true }).click();
  await me.waitForFunction(() => !document.querySelector("dialog"));
  await events.getByRole("button", { name: "yes", exact: true }).waitFor();
  assert.deepEqual([search(me).get("prop"), search(me).get("list")], ["team", null]);
});

test("who is there now stands in a list and on a map, and comes by itself", async () => {
  await show(me, service.url + "/" + domain);
  await me.getByRole("button", { name: /visitors? now$/ }).click();
  const now = me.getByRole("dialog", { name: /visitors? now$/ });
  await now.getByRole("img", { name: "Where visitors are now" }).locator("path").first().waitFor();
  assert.equal(await now.getByText("/here", { exact: true }).count(), 0);
  await visit("8.8.8.8", ["/here"], { screen: { width: 1366, height: 768 } });
  await now.getByText("/here", { exact: true }).waitFor();
  const { data } = await (await me.request.get(service.url + "/api/v1/websites/1/realtime")).json();
  for (const { code } of data.countries) await now.locator(`[data-code=${code}][class*=tone]`).first().waitFor();
  await me.keyboard.press("Escape");
  await me.waitForFunction(() => !document.querySelector("dialog"));
});

test("what fails says so and comes back, and so does a connection that is lost", async () => {
  await me.route("**/api/v1/query", (route) => route.fulfill({ status: 500, json: { code: "internal", message: "internal error" } }));
  await me.goto(service.url + "/" + domain);
  await panel(me, "Pages").getByRole("alert").waitFor();
  await me.unroute("**/api/v1/query");
  await panel(me, "Pages").getByRole("button", { name: "Try again" }).click();
  await panel(me, "Pages").getByRole("button", { name: "/docs", exact: true }).waitFor();

  await show(me, service.url + "/" + domain);
  await me.context().setOffline(true);
  await me.locator(".offline").waitFor();
  assert.equal(await visitors(me), "2", "what was loaded is still there");
  await me.context().setOffline(false);
  await me.locator(".offline").waitFor({ state: "detached" });
});

const settings = async () => {
  await me.goto(`${service.url}/${domain}/settings`);
  await heading(me, "Who sees it");
};
const section = (name) => me.getByRole("region", { name, exact: true });
const saved = () => me.locator(".toast", { hasText: "Saved" }).last().waitFor();

test("settings are changed, and the service says what is wrong with them", async () => {
  await show(me, service.url + "/" + domain);
  await me.getByRole("link", { name: "Settings", exact: true }).click();
  const counting = section("What counts");
  await counting.getByLabel("Addresses not to count").fill("not an address");
  await button(counting, "Save").click();
  await counting.locator(".error", { hasText: "not an address" }).waitFor();
  await counting.getByLabel("Addresses not to count").fill("192.0.2.7");
  await button(counting, "Save").click();
  await saved();
  await me.reload();
  await heading(me, "Who sees it");
  assert.equal(await counting.getByLabel("Addresses not to count").inputValue(), "192.0.2.7");
});

// share sets who sees the dashboard.
async function share(name, password) {
  await settings();
  const who = section("Who sees it");
  await who.getByRole("radio", { name: new RegExp("^" + name) }).check();
  if (password) await who.getByLabel("Password of the dashboard", { exact: true }).fill(password);
  await button(who, "Save").click();
  await saved();
}

// framed tells how many visitors another website sees in its frame, or "refused".
async function framed(address) {
  other.frame = address;
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto(site.at("blog.example"));
  const found = () => page.frames()[1].evaluate(() => document.querySelector(".figure.visitors b")?.textContent.trim()).catch(() => "");
  let shown = "";
  for (const end = Date.now() + 20_000; !shown && Date.now() < end; await page.waitForTimeout(50)) {
    shown = page.frames()[1].url().startsWith("chrome-error:") ? "refused" : await found();
  }
  await context.close();
  return shown;
}

test("a public dashboard is there for everyone, to look at only", async () => {
  assert.equal(await framed(`${service.url}/${domain}?embed=true`), "refused", "a private one in a frame");
  await share("Everyone");
  const guest = await lookAt(browser, service);
  await show(guest, `${service.url}/${domain}?is=page:/pricing`);
  assert.equal(await visitors(guest), "1");
  assert.equal(await guest.getByRole("link", { name: "Settings" }).count(), 0);
  assert.equal(await panel(guest, "Not counted").count(), 0);
  await guest.goto(`${service.url}/${domain}/settings`);
  await guest.getByRole("button", { name: "Sign in" }).or(guest.getByRole("link", { name: "Sign in" })).first().waitFor();
  assert.equal(await guest.getByRole("heading", { name: "Who sees it" }).count(), 0);
  assert.deepEqual(guest.wrong, []);
  await guest.context().close();

  assert.equal(await framed(`${service.url}/${domain}?embed=true`), "2", "a public one in a frame");
  assert.equal(await framed(`${service.url}/${domain}`), "refused", "without embed");
  assert.equal(await framed(`${service.url}/${domain}/settings?embed=true`), "refused", "its settings");
  assert.equal(await framed(`${service.url}/sign-in?embed=true`), "refused", "the sign-in");
});

test("a password opens one dashboard and nothing else, until it changes", async () => {
  await me.goto(service.url + "/");
  await button(me, "Add website").click();
  await me.getByLabel("Domain").fill("other.example");
  await me.getByRole("dialog").getByRole("button", { name: "Add website" }).click();
  await me.getByText("Waiting for the first hit").waitFor();
  await share("Who knows the password", "open sesame");
  assert.equal(await framed(`${service.url}/${domain}?embed=true`), "refused", "one with a password in a frame");

  const guest = await lookAt(browser, service);
  const enter = async (password) => {
    await guest.getByLabel("Password", { exact: true }).fill(password);
    await button(guest, "Open the dashboard").click();
  };
  await guest.goto(`${service.url}/${domain}?period=today`);
  await enter("open barley");
  await guest.getByRole("alert").waitFor();
  assert.equal(await guest.locator(".figure").count(), 0);
  await enter("open sesame");
  await guest.locator(".figure.visitors b", { hasText: "2" }).waitFor();
  assert.equal(search(guest).get("period"), "today");
  assert.equal(await guest.getByRole("link", { name: "Settings" }).count(), 0);
  assert.ok(!guest.url().includes("sesame"));

  const refused = { "/api/v1/websites": 401, "/api/v1/websites/1": 401, "/api/v1/me": 401, "/api/v1/keys": 401, "/api/v1/installation": 401, "/api/v1/dashboards/other.example": 404, "/api/v1/websites/2/realtime": 401, "/api/v1/websites/1/shares": 401 };
  for (const [path, status] of Object.entries(refused)) assert.equal((await guest.request.get(service.url + path)).status(), status, path);
  assert.equal((await guest.request.get(`${service.url}/api/v1/dashboards/${domain}`)).status(), 200);
  assert.equal((await guest.request.put(service.url + "/api/v1/websites/1", { data: { privacy: 0 } })).status(), 401);

  await share("Who knows the password", "open says me");
  await guest.reload();
  await guest.getByLabel("Password", { exact: true }).waitFor();
  assert.equal((await guest.request.get(`${service.url}/api/v1/dashboards/${domain}`)).status(), 401);
  assert.deepEqual(guest.wrong, []);
  await guest.context().close();
});

test("guesses are few: after them even the right password has to wait", async () => {
  const guest = await lookAt(browser, service, { extraHTTPHeaders: { "X-Forwarded-For": "198.51.100.7" } });
  const guess = (password) => guest.request.post(`${service.url}/api/v1/dashboards/${domain}/session`, { data: { password } });
  let tries = 0;
  while ((await guess("guess")).status() != 429) assert.ok(++tries < 30, "nothing stops them");
  const right = await guess("open says me");
  assert.equal(right.status(), 429);
  assert.ok(Number(right.headers()["retry-after"]) > 0);
  await guest.goto(`${service.url}/${domain}`);
  await guest.getByLabel("Password", { exact: true }).fill("open says me");
  await button(guest, "Open the dashboard").click();
  await guest.getByRole("alert").filter({ hasText: /too many|wait/i }).waitFor();
  await guest.context().close();
});

test("pages speak the language of their reader, and another one when told to", async () => {
  const guest = await lookAt(browser, service, { locale: "de-DE" });
  await guest.goto(service.url + "/sign-in");
  await button(guest, "Anmelden").waitFor();
  assert.match(await guest.evaluate(() => document.documentElement.lang), /^de/);
  await guest.locator("header button[aria-haspopup=menu]").click();
  await guest.getByRole("menuitemradio", { name: "English" }).click();
  await button(guest, "Sign in").waitFor();
  assert.match(await guest.evaluate(() => document.documentElement.lang), /^en/);
  assert.deepEqual(guest.wrong, []);
  await guest.context().close();
});

test("who signs out is out, on the server too, and signs in again to where they were", async () => {
  const cookies = await me.context().cookies();
  await me.goto(service.url + "/");
  await button(me, "Menu").click();
  await me.getByRole("menuitem", { name: "Sign out" }).click();
  await me.waitForURL("**/sign-in");
  const stale = cookies.map((c) => `${c.name}=${c.value}`).join("; ");
  assert.equal((await fetch(service.url + "/api/v1/me", { headers: { Cookie: stale } })).status, 401);

  await me.goto(service.url + "/account");
  await me.getByLabel("Email").waitFor();
  await me.getByLabel("Email").fill("anna@example.com");
  await me.getByLabel("Password", { exact: true }).fill("wrong horse battery");
  await button(me, "Sign in").click();
  await me.getByRole("alert").filter({ hasText: "wrong" }).waitFor();
  await me.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await button(me, "Sign in").click();
  await me.waitForURL("**/account");
  await heading(me, "Two-factor sign-in");
});

test("nothing on the way was against the rules", () => {
  assert.deepEqual(me.wrong, []);
  assert.equal(service.log(), "");
});
