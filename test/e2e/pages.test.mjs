// The pages beside the dashboard: sign-in with a second factor, the list of websites, settings, account, installation.
// walk.test.mjs has the first start.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { serious } from "./support/axe.mjs";
import { launch } from "./support/browser.mjs";
import { lookAt, settled, show, signedIn } from "./support/people.mjs";
import { owner as first, start } from "./support/service.mjs";

const many = 500;
const owner = { ...first }; // whose password changes on the way
let service, browser, me;

before(async () => {
  service = await start("--rate-limit-sign-in", "0", "--webhook-allow-private", "yes");
  for (let i = 1; i <= many; i++) await service.website(`site${String(i).padStart(3, "0")}.example`);
  await service.ask("/api/v1/accounts", { method: "POST", body: new URLSearchParams({ email: "ben@example.com", name: "Ben", password: "a long password" }) });
  const send = (what, body) => service.ask(`/api/v1/websites/5/${what}`, { method: "POST", body: new URLSearchParams(body) });
  await send("webhooks", { url: "https://example.com/a/rather/long/address/for/a/hook?" + "token=0123456789abcdef".repeat(8) });
  await send("alerts", { kind: "above", webhook_id: 1, email: 1, threshold: 1000 });
  await send("alerts", { kind: "silent" });
  browser = await launch();
  me = await signedIn(browser, service, owner);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const button = (page, name) => page.getByRole("button", { name, exact: true });
const section = (name) => me.getByRole("region", { name, exact: true });
const toast = (text) => me.locator(".toast", { hasText: text }).last().waitFor();
const dialog = () => me.getByRole("dialog");
const closed = () => dialog().waitFor({ state: "detached" });
// typeThere types where the page has put the focus: a dialog takes it a moment after it was asked for.
const typeThere = async (page, text, where = "dialog input:focus") => {
  await page.locator(where).waitFor();
  await page.keyboard.type(text);
};
const search = (page) => new URL(page.url()).searchParams;
const domains = (page) => page.locator(".sites tbody a").allTextContents();

describe("the list of websites", () => {
  test("has a page of many, with the numbers of each from one question", async () => {
    const asked = [];
    const note = (r) => r.url().endsWith("/overview") && asked.push(r.postDataJSON());
    me.on("request", note);
    await show(me, service.url + "/");
    await me.locator(".sites td b").first().waitFor();
    me.off("request", note);
    const found = await domains(me);
    assert.deepEqual([found.length, found[0], found.at(-1)], [25, "site500.example", "site476.example"]);
    assert.deepEqual(asked.map((a) => [a.ids.length, a.days]), [[25, 30]]);
    await me.getByText("500 websites").waitFor();
    await me.getByText("1 – 25 of 500").waitFor();
  });

  test("keeps order, page and search in the address", async () => {
    await button(me, "Sort: Newest first").click();
    await me.getByRole("menuitemradio", { name: "A to Z" }).click();
    await me.getByRole("link", { name: "site001.example", exact: true }).waitFor();
    await button(me, "Next page").click();
    await me.getByRole("link", { name: "site026.example", exact: true }).waitFor();
    assert.equal(new URL(me.url()).search, "?sort_by=domain&sort=asc&page=2");
    await me.reload();
    await settled(me);
    assert.equal((await domains(me))[0], "site026.example");
    await me.goBack();
    await me.getByRole("link", { name: "site001.example", exact: true }).waitFor();

    await me.keyboard.press("/");
    await typeThere(me, "site04", "input[type=search]:focus");
    await me.getByText("10 websites").waitFor();
    assert.equal(search(me).get("search"), "site04");
    assert.equal((await domains(me)).length, 10);
    await me.getByLabel("Search websites").fill("nowhere");
    await me.getByText("No website has “nowhere” in its domain.").waitFor();
    await me.getByRole("link", { name: "Clear the search" }).click();
    await me.getByText("500 websites").waitFor();
  });

  test("shows what it has when numbers fail, and gets them by itself when told to", async () => {
    await me.route("**/api/v1/overview", (r) => r.fulfill({ status: 503, json: { message: "The store is away.", code: "unavailable", errors: {} } }));
    await me.goto(service.url + "/");
    await me.getByText("The numbers could not be loaded.").waitFor();
    assert.equal((await domains(me)).length, 25);
    await me.unroute("**/api/v1/overview");
    await button(me, "Try again").click();
    await me.locator(".sites td b").first().waitFor();
  });

  test("says that the service cannot be reached, and not that nobody is signed in", async () => {
    await me.route("**/api/v1/**", (r) => r.abort());
    await me.goto(service.url + "/");
    await me.getByText("The service cannot be reached.").waitFor();
    assert.equal(new URL(me.url()).pathname, "/");
    await me.unroute("**/api/v1/**");
    await button(me, "Try again").click();
    await me.getByText("500 websites").waitFor();
  });
});

describe("settings", () => {
  test("offer the hash that the script really has", async () => {
    await show(me, service.url + "/site001.example/settings");
    await me.getByText("Options", { exact: true }).click();
    await me.getByLabel("Pin this version (SRI)").check();
    const script = Buffer.from(await (await fetch(service.url + "/js/script.js")).arrayBuffer());
    const hash = createHash("sha384").update(script).digest("base64");
    const tag = await me.getByLabel("Snippet for your website").textContent();
    assert.ok(tag.includes(` integrity="sha384-${hash}" crossorigin="anonymous"`), tag);
  });

  test("share a website with an account, which then sees it and changes nothing", async () => {
    await show(me, service.url + "/site001.example/settings#shares");
    const shares = section("Shared with");
    await shares.getByLabel("Email").fill("nobody@example.com");
    await button(shares, "Share").click();
    await shares.locator(".error").waitFor();
    await shares.getByLabel("Email").fill("ben@example.com");
    await button(shares, "Share").click();
    await toast("Shared with ben@example.com.");
    await shares.getByText("May look", { exact: false }).first().waitFor();

    const ben = await signedIn(browser, service, { email: "ben@example.com", password: "a long password" });
    await show(ben, service.url + "/");
    assert.deepEqual(await domains(ben), ["site001.example"]);
    await ben.goto(service.url + "/site001.example/settings");
    await ben.getByRole("heading", { name: "You may look, but not change" }).waitFor();
    await ben.getByText("Reports on this website are switched off.").waitFor();
    await ben.getByLabel("Send them to me").check(); // what somebody wants for themselves, they may say
    await ben.locator(".toast", { hasText: "Saved." }).waitFor();
    await ben.reload();
    await settled(ben);
    assert.ok(await ben.getByLabel("Send them to me").isChecked());
    await ben.goto(service.url + "/site002.example/settings");
    await ben.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await ben.goto(service.url + "/installation");
    await ben.getByRole("heading", { name: "This page is for administrators" }).waitFor();
    assert.deepEqual(ben.wrong, []);
    await ben.context().close();

    await shares.getByRole("button", { name: "Stop sharing: ben@example.com" }).click();
    await dialog().getByRole("button", { name: "Stop sharing" }).click();
    await shares.getByText("Only you see this website.").waitFor();
  });

  test("send reports to everybody, to me, and say why none comes", async () => {
    await show(me, service.url + "/site002.example/settings#reports");
    const reports = section("Reports by email");
    await reports.getByText("No mail server is set: see --mail-host.").waitFor();
    const all = reports.getByLabel("Send reports on this website"), mine = reports.getByLabel("Send them to me");
    assert.ok(await mine.isDisabled()); // there are none
    await all.check();
    await me.waitForFunction(() => document.querySelector("input[name=reports]").checked);
    await mine.uncheck();
    await toast("Saved.");
    await me.reload();
    await settled(me);
    assert.deepEqual([await all.isChecked(), await mine.isChecked()], [true, false]);
  });

  test("show a report as it would be sent, in a frame where nothing runs", async () => {
    await show(me, service.url + "/site002.example/settings");
    await button(me, "Preview").click();
    const report = me.frameLocator("iframe[title='The report']");
    await report.getByText("Weekly report", { exact: false }).first().waitFor();
    await me.getByRole("tab", { name: "Last month" }).click();
    await report.getByText("Monthly report", { exact: false }).first().waitFor();
    const link = report.getByRole("link").first();
    await link.waitFor();
    assert.equal(await link.getAttribute("target"), "_blank");
    await me.getByRole("button", { name: "Close" }).click();
    await closed();
  });

  test("have alerts that are added, changed and deleted, with what is wrong said beside it", async () => {
    await show(me, service.url + "/site002.example/settings#alerts");
    const alerts = section("Alerts");
    await alerts.getByText("No alerts yet.").waitFor();
    await button(alerts, "Add alert").click();
    await dialog().getByLabel("At least so many visitors in the hour").fill("0");
    await button(dialog(), "Add alert").click();
    await dialog().getByText("Must be a whole number from 1 to 1000000.").waitFor();
    await me.waitForFunction(() => document.activeElement.name == "threshold");
    await dialog().getByLabel("At least so many visitors in the hour").fill("50");
    await dialog().getByLabel("How unusual").selectOption({ label: "Slightly unusual: over 130 instead of 100" });
    await button(dialog(), "Add alert").click();
    await toast("The alert is saved.");
    await alerts.getByText("Slightly unusual, from 50 visitors in the hour").waitFor();
    await alerts.getByText("not told yet").waitFor();
    await alerts.getByText("Tells nobody").waitFor(); // no email can be sent here, and there is no webhook

    await button(alerts, "Change: More visitors than usual").click();
    await dialog().getByLabel("No hits at all").check();
    await dialog().getByLabel("Hours without a hit").fill("73");
    await button(dialog(), "Save").click();
    await dialog().getByText("Must be a whole number from 1 to 72.").waitFor();
    await dialog().getByLabel("Hours without a hit").fill("6");
    await dialog().getByLabel("Email to you").check();
    await button(dialog(), "Save").click();
    await alerts.getByText("For 6 hours, where 50 hits are usual").waitFor();
    await alerts.getByText("email to you · not told yet").waitFor();
    await button(alerts, "Delete: No hits at all").click();
    await button(dialog(), "Delete").click();
    await toast("The alert is deleted.");
    await alerts.getByText("No alerts yet.").waitFor();
  });

  test("have webhooks with a secret that is shown once, a test and a log", async () => {
    const came = [];
    const hook = createServer(async (request, answer) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      came.push({ signature: request.headers["footfall-signature"], body });
      answer.writeHead(came.length === 1 ? 500 : 204).end();
    });
    await new Promise((resolve) => hook.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${hook.address().port}/in`;
    try {
      await show(me, service.url + "/site003.example/settings#webhooks");
      const webhooks = section("Webhooks");
      await webhooks.getByText("No webhooks yet.").waitFor();
      await button(webhooks, "Add webhook").click();
      await typeThere(me, "ftp://example.com/");
      await me.keyboard.press("Enter");
      await dialog().locator(".error").waitFor();
      await dialog().getByLabel("Address").fill(address);
      await me.keyboard.press("Enter");
      const secret = await dialog().getByLabel("Secret of the webhook").textContent();
      assert.match(secret, /^ffw_[0-9a-f]{64}$/);
      await button(me, "Done").click();
      await closed();
      assert.ok(!(await me.content()).includes(secret));
      await webhooks.getByText("no alert tells it").waitFor();

      await me.getByRole("button", { name: `Actions for ${address}` }).click();
      await me.getByRole("menuitem", { name: "Send a test" }).click();
      await dialog().getByText("500", { exact: true }).waitFor();
      await dialog().getByText("Only an answer from 200 to 299 counts.").waitFor();
      await button(dialog(), "Send a test").click();
      await dialog().getByText("204", { exact: true }).waitFor();
      const { signature, body } = came.at(-1);
      const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature);
      assert.equal(mac, createHmac("sha256", secret).update(`${time}.${body}`).digest("hex"));
      await me.keyboard.press("Escape");
      await closed();

      await webhooks.getByText("Check the signature").click();
      await webhooks.getByRole("tab", { name: "Python" }).click();
      assert.match(await webhooks.locator("#verify code").textContent(), /compare_digest/);

      await button(section("Alerts"), "Add alert").click();
      await dialog().getByLabel("Webhook").selectOption(address);
      await button(dialog(), "Add alert").click();
      await section("Alerts").getByText(new URL(address).host).waitFor();
      await webhooks.getByText("1 alert", { exact: false }).waitFor();
      await me.getByRole("button", { name: `Actions for ${address}` }).click();
      await me.getByRole("menuitem", { name: "Delete" }).click();
      await button(dialog(), "Delete").click();
      await webhooks.getByText("No webhooks yet.").waitFor();
      await section("Alerts").getByText("Tells nobody").waitFor(); // what told it stays
    } finally {
      hook.close();
    }
  });

  test("turn the pages of a long log, and say what went wrong", async () => {
    await service.ask("/api/v1/websites/4/webhooks", { method: "POST", body: new URLSearchParams({ url: "https://example.com/hook" }) });
    const attempts = Array.from({ length: 23 }, (_, i) => ({
      id: 23 - i, delivery: "m", kind: "alert", attempt: 23 - i, status: null, error: "the host refuses connections", duration_ms: 1500, created_at: "2026-03-09T14:02:01Z",
    }));
    await me.route("**/deliveries", (r) => r.fulfill({ json: { data: attempts } }));
    await show(me, service.url + "/site004.example/settings");
    await button(me, "Deliveries: https://example.com/hook").click();
    const shown = async () => (await dialog().locator(".lines li").allTextContents()).map((l) => Number(/attempt (\d+)/.exec(l)[1]));
    await dialog().getByText("The host refuses connections.").first().waitFor();
    assert.deepEqual((await shown()).slice(0, 2), [23, 22]);
    assert.ok(await button(dialog(), "Newer").isDisabled());
    await button(dialog(), "Older").click();
    await button(dialog(), "Older").click();
    assert.deepEqual(await shown(), [3, 2, 1]);
    assert.ok(await button(dialog(), "Older").isDisabled());
    await me.unroute("**/deliveries");
    await me.keyboard.press("Escape");
    await closed();
  });

  test("delete a website only when its domain was typed", async () => {
    await show(me, service.url + "/site500.example/settings");
    await button(me, "Delete this website").click();
    const sure = dialog().getByRole("button", { name: "Delete for good" });
    await typeThere(me, "site50.example");
    assert.ok(await sure.isDisabled());
    await me.keyboard.press("Enter");
    await dialog().getByRole("textbox").fill("site500.example");
    await sure.click();
    await toast("site500.example is deleted.");
    await me.getByText("499 websites").waitFor();
  });
});

// codeOf is the code of a secret now, as RFC 6238 says.
function codeOf(secret, at = Date.now()) {
  const bits = [...secret].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => parseInt(b, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const hash = createHmac("sha1", key).update(step).digest();
  return String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1e6).padStart(6, "0");
}

describe("the account", () => {
  test("gets a second factor, and signs in with a recovery code", async () => {
    await show(me, service.url + "/account");
    await button(section("Two-factor sign-in"), "Turn on").click();
    await typeThere(me, owner.password);
    await me.keyboard.press("Enter");
    await me.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
    const secret = await me.getByLabel("Secret for the app").textContent();
    await me.getByLabel("Code that the app shows").fill(codeOf(secret));
    await me.keyboard.press("Enter");
    const codes = (await me.getByLabel("Recovery codes", { exact: true }).textContent()).split("\n");
    assert.equal(new Set(codes).size, 10);
    await button(me, "I have kept them").click();
    await section("Two-factor sign-in").getByText("On", { exact: true }).waitFor();

    const tab = await lookAt(browser, service);
    await tab.goto(service.url + "/account");
    await tab.getByLabel("Email").fill(owner.email);
    await tab.getByLabel("Password", { exact: true }).fill(owner.password);
    await button(tab, "Sign in").click();
    await tab.getByLabel("Code", { exact: true }).fill("000000");
    await button(tab, "Sign in").click();
    await tab.getByText("This code is wrong, or was used before.").waitFor();
    await button(tab, "Use a recovery code instead").click();
    await typeThere(tab, codes[3], "input[placeholder^=xxxx]:focus");
    await tab.keyboard.press("Enter");
    await tab.waitForURL("**/account");
    assert.deepEqual(tab.wrong, []);
    await tab.context().close();

    await button(section("Two-factor sign-in"), "New recovery codes").click();
    await typeThere(me, "not my password");
    await me.keyboard.press("Enter");
    await me.getByText("This is not your present password.").waitFor();
    await dialog().getByLabel("Password", { exact: true }).fill(owner.password);
    await me.keyboard.press("Enter");
    const others = (await me.getByLabel("Recovery codes", { exact: true }).textContent()).split("\n");
    assert.equal(new Set([...codes, ...others]).size, 20);
    await button(me, "I have kept them").click();
    await toast("The old recovery codes no longer work.");

    await button(section("Two-factor sign-in"), "Turn off").click();
    await typeThere(me, "not my password");
    await me.keyboard.press("Enter");
    await me.getByText("This is not your present password.").waitFor();
    await dialog().getByLabel("Password", { exact: true }).fill(owner.password);
    await me.keyboard.press("Enter");
    await section("Two-factor sign-in").getByText("Off", { exact: true }).waitFor();
  });

  test("makes a key that works, shows it once, and revokes it", async () => {
    await show(me, service.url + "/account#keys");
    await button(me, "Create key").click();
    await typeThere(me, "Spreadsheet");
    await me.keyboard.press("Enter");
    const key = await dialog().locator(".snippet code").textContent();
    const status = async () => (await fetch(service.url + "/api/v1/me", { headers: { Authorization: "Bearer " + key } })).status;
    assert.equal(await status(), 200);
    await button(me, "Done").click();
    await closed();
    assert.ok(!(await me.content()).includes(key));
    await me.getByRole("button", { name: "Revoke: Spreadsheet" }).click();
    await dialog().getByRole("button", { name: "Revoke" }).click();
    await toast("The key is revoked.");
    assert.equal(await status(), 401);
  });

  test("changes its password, which signs out all other browsers", async () => {
    const other = await signedIn(browser, service, owner);
    await show(me, service.url + "/account#password");
    const form = section("Password");
    await form.getByLabel("Present password", { exact: true }).fill(owner.password);
    await form.getByLabel("New password", { exact: true }).fill("another long password");
    await button(form, "Change password").click();
    await toast("All other browsers are signed out.");
    await other.goto(service.url + "/account#keys");
    await other.waitForURL("**/sign-in?next=%2Faccount");
    await other.context().close();
    await me.reload();
    await section("Sessions").getByText("This browser").waitFor();
    owner.password = "another long password";
  });

  test("who comes to sign in is led to no other website", async () => {
    const tab = await lookAt(browser, service);
    await tab.goto(service.url + "/sign-in?next=%2F%09%2Fevil.example%2F");
    await tab.getByLabel("Email").fill(owner.email);
    await tab.getByLabel("Password", { exact: true }).fill(owner.password);
    await button(tab, "Sign in").click();
    await tab.getByRole("heading", { name: "Websites" }).waitFor();
    assert.equal(tab.url(), service.url + "/");
    assert.deepEqual(tab.wrong, []);
    await tab.context().close();
  });
});

test("an administrator adds an account, makes it one too, and deletes it", async () => {
  await show(me, service.url + "/installation");
  await me.getByText("All is well").waitFor();
  await button(me, "Add account").click();
  await typeThere(me, "cleo@example.com");
  await button(me, "Make one up").click();
  const password = await dialog().getByLabel("Password").inputValue();
  assert.match(password, /^([a-z1-9]{4}-){3}[a-z1-9]{4}$/);
  await dialog().getByRole("button", { name: "Add account" }).click();
  await toast("cleo@example.com can sign in now.");
  const cleo = await signedIn(browser, service, { email: "cleo@example.com", password });
  await cleo.context().close();

  const act = async (name) => {
    await me.getByRole("button", { name: "Actions for cleo@example.com" }).click();
    await me.getByRole("menuitem", { name }).click();
  };
  await act("Make administrator");
  await toast("cleo@example.com is an administrator now.");
  await act("Delete …");
  await typeThere(me, "cleo@example.com");
  await me.keyboard.press("Enter");
  await toast("cleo@example.com is deleted.");
  await me.getByRole("button", { name: "Actions for cleo@example.com" }).waitFor({ state: "detached" });
});

test("an administrator switches off the second factor of somebody who lost it, and signs them out", async () => {
  const dora = { email: "dora@example.com", password: "a long password" };
  await service.ask("/api/v1/accounts", { method: "POST", body: new URLSearchParams(dora) });
  const theirs = await signedIn(browser, service, dora);
  const send = async (method, path, data) => (await theirs.request.fetch(service.url + path, { method, data })).json();
  const { data } = await send("POST", "/api/v1/me/totp", { password: dora.password });
  await send("PUT", "/api/v1/me/totp", { code: codeOf(data.secret) });

  await show(me, service.url + "/installation");
  await me.getByRole("button", { name: "Actions for dora@example.com" }).click();
  await me.getByRole("menuitem", { name: "Switch off two-factor" }).click();
  await button(dialog(), "Switch off").click();
  await toast("dora@example.com signs in with the password alone.");
  assert.equal((await theirs.request.get(service.url + "/api/v1/me")).status(), 401);
  await theirs.context().close();
  await (await signedIn(browser, service, dora)).context().close(); // which takes no code
  await me.getByRole("button", { name: "Actions for dora@example.com" }).click();
  await me.getByRole("menuitem", { name: "Delete" }).waitFor();
  assert.equal(await me.getByRole("menuitem", { name: "Switch off two-factor" }).count(), 0);
  await me.keyboard.press("Escape");
});

// All pages, as they are and with their dialogs, on a desk in the light and on a phone in the dark, in both languages.
const pages = {
  "sign-in": { path: "/sign-in", nobody: true },
  "setup, too late": { path: "/setup#fft_x", nobody: true },
  websites: { path: "/" },
  "websites, adding": { path: "/?add" },
  "websites, none found": { path: "/?search=nowhere" },
  settings: { path: "/site001.example/settings" },
  "settings, with alerts and a webhook": { path: "/site005.example/settings" },
  "settings, adding an alert": { path: "/site005.example/settings", press: "#alerts header button" },
  "settings, changing an alert": { path: "/site005.example/settings", press: "#alerts .line-tools button" },
  "settings, adding a webhook": { path: "/site005.example/settings", press: "#webhooks header button" },
  "settings, the log of a webhook": { path: "/site005.example/settings", press: "#webhooks .line-tools button" },
  "settings, how to check a signature": { path: "/site005.example/settings", press: "#webhooks summary" },
  "settings, a report": { path: "/site005.example/settings", press: "#reports header button" },
  account: { path: "/account" },
  installation: { path: "/installation" },
};
const places = {
  desk: { viewport: { width: 1440, height: 900 }, colorScheme: "light", locale: "en-GB" },
  tablet: { viewport: { width: 768, height: 1024 }, colorScheme: "light", locale: "de-DE" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "dark", locale: "de-DE" },
};
for (const [where, options] of Object.entries(places)) {
  test(`on a ${where} all can read all pages, nothing is cut off, and nothing moves`, async () => {
    const guest = await lookAt(browser, service, options);
    const member = await signedIn(browser, service, owner, options);
    for (const page of [guest, member]) {
      await page.addInitScript(() => {
        globalThis.shift = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((e) => (globalThis.shift += e.hadRecentInput ? 0 : e.value))).observe({ type: "layout-shift", buffered: true });
      });
    }
    for (const [name, { path, nobody, press }] of Object.entries(pages)) {
      const page = nobody ? guest : member;
      await show(page, service.url + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
      if (press) {
        await page.locator(press).first().click();
        await page.waitForLoadState("networkidle");
        await settled(page);
      }
      assert.deepEqual(await serious(page), [], name);
      const { over, shift } = await page.evaluate(() => ({ over: document.documentElement.scrollWidth - innerWidth, shift: globalThis.shift }));
      assert.ok(over <= 0, `${name} is ${over} pixels too wide`);
      assert.ok(shift <= 0.02, `${name} moved by ${shift}`);
    }
    assert.deepEqual([guest.wrong, member.wrong], [[], []]);
    await guest.context().close();
    await member.context().close();
  });
}

test("nothing on the way was against the rules", () => assert.deepEqual(me.wrong, []));
