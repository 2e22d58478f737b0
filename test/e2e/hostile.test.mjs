// TRUST.md S1 and S2: hostile strings in every field that a visitor can fill, in every view and in every file.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { launch } from "./support/browser.mjs";
import { parse } from "./support/csv.mjs";
import { payloads } from "./support/payloads.mjs";
import { settled, show, signedIn, toTheEnd, turnTo } from "./support/people.mjs";
import { owner, start } from "./support/service.mjs";

const domain = "target.example";
const panels = {
  sources: ["source", "channel", "referrer", "campaign", "utm_source", "utm_medium", "utm_term", "utm_content"],
  pages: ["page", "landing_page", "exit_page", "hostname"],
  places: ["map", "country", "region", "city", "continent", "language"],
  devices: ["browser", "os", "device", "resolution", "browser_version", "os_version"],
  events: ["event", "property"],
};
const properties = ["plan", payloads[0], payloads[3], payloads[14]]; // names of properties too
const dimensions = [...Object.values(panels).flat().filter((d) => d != "map" && d != "property"), ...properties.map((p) => "prop:" + p)];
let service, browser, page, website;
const at = (query = {}, path = "/" + domain) => `${service.url}${path}?${new URLSearchParams(query)}`;

// hit has a payload in all that a visitor tells: a pageview and an event of it. One event may have 64 KiB.
function hit(payload, i) {
  const short = payload.slice(0, 1500);
  const tagged = ["campaign", "source", "medium", "term", "content"].map((name) => `utm_${name}=${encodeURIComponent(short.toWellFormed())}`).join("&");
  const common = {
    d: domain,
    u: `https://${domain}/${payload}?q=${short}&${tagged}`,
    r: i % 2 ? `https://referrer-${i}.example/${payload}` : payload,
    l: short, s: short, ua: i % 3 ? `Mozilla/5.0 (${short}) ${short}` : short, ip: `203.0.113.${i + 1}`,
    title: short, t: short,
  };
  const props = Object.fromEntries([...properties, short].map((name) => [name, short]));
  return [{ ...common, n: "pageview" }, { ...common, n: payload, p: props, v: i, c: payload.slice(0, 3) }];
}

before(async () => {
  service = await start();
  website = await service.website(domain, { exclude_bots: 0 });
  for (const event of payloads.flatMap(hit)) {
    const answer = await fetch(service.url + "/api/event", { method: "POST", body: JSON.stringify(event), headers: { Authorization: `Bearer ${service.key}` } });
    assert.ok([202, 400].includes(answer.status), `${answer.status} for ${JSON.stringify(event).slice(0, 200)}`);
  }
  const today = new Date().toISOString().slice(0, 10);
  const send = (method, path, body) => service.ask(path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  await send("POST", `/api/v1/websites/${website.id}/annotations`, { day: today, text: payloads[3] });
  await send("POST", "/api/v1/keys", { name: payloads[1] });
  for (const payload of payloads.slice(0, 9)) { // the service takes no spaces; to a browser a slash is as good
    const slashed = payload.replaceAll(" ", "/");
    await send("POST", `/api/v1/websites/${website.id}/webhooks`, { url: `https://example.com/${slashed}?q=${slashed}` });
  }
  await send("POST", `/api/v1/websites/${website.id}/alerts`, { kind: "above", email: 1, webhook_id: 4 });
  await send("PUT", "/api/v1/me", { name: payloads[3] });
  await send("PUT", "/api/v1/installation", { name: payloads[3].slice(0, 60) });

  browser = await launch();
  page = await signedIn(browser, service, owner, { acceptDownloads: true });
  await page.addInitScript(() => {
    Object.defineProperty(window, "pwned", { value: (n) => alert(`payload ${n} ran`) });
    Object.defineProperty(Object.prototype, "pwned", { set: () => alert("a prototype was changed") });
  });
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

// harmless tells that nothing of what was sent has become part of the page.
async function harmless(where) {
  const made = await page.evaluate(() => {
    const inside = "[data-pwned], iframe, object, embed, base, [onerror], [onload], [onmouseover], [onfocus], main script, dialog script, main style, main link";
    const links = [...document.querySelectorAll("[href], [src], [action], [formaction]")].filter((e) => {
      const to = e.getAttribute("href") ?? e.getAttribute("src") ?? e.getAttribute("action") ?? e.getAttribute("formaction");
      return ![location.origin, "https://db-ip.com"].includes(new URL(to, location.href).origin); // its licence wants to be named
    });
    return [...document.querySelectorAll(inside), ...links].map((e) => e.outerHTML.slice(0, 200));
  });
  assert.deepEqual(made, [], where);
  assert.deepEqual(page.wrong, [], where);
}

// hover points at all that could show a tooltip.
const hover = () =>
  page.evaluate(() => {
    for (const e of document.querySelectorAll("main [title], main td, main th, main path, dialog [title], dialog td")) {
      for (const kind of ["pointerover", "pointermove", "mouseover", "mousemove", "focusin"]) e.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    }
  });

test("the payloads arrived: this test is about something", async () => {
  for (const list of ["event", "prop:plan"]) {
    await show(page, at({ list }));
    const text = await page.locator("dialog tbody").textContent();
    for (const part of ["<img src=x data-pwned onerror=pwned(4)>", "javascript:pwned(12)", "</script>", "=cmd|", "\u202e"]) {
      assert.ok(text.includes(part), `${part} is not among ${list}: ${text.slice(0, 500)}`);
    }
  }
});

test("every page says that it may load what is ours, and run nothing inline", async () => {
  for (const path of ["/", "/sign-in", "/setup", "/account", "/installation", `/${domain}`, `/${domain}/settings`, "/docs"]) {
    const policy = (await fetch(service.url + path)).headers.get("Content-Security-Policy");
    const rules = Object.fromEntries(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]));
    assert.deepEqual(rules, {
      "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' data:", "connect-src": "'self'",
      "font-src": "'self'", "base-uri": "'none'", "form-action": "'self'", "frame-ancestors": "'none'",
      ...(path != "/docs" && { "frame-src": "'self'" }), // for reports, which may do even less
    }, path);
  }
});

test("the policy holds: what is written inline into a page does not run", async () => {
  await show(page, at());
  const violations = await page.evaluate(() => new Promise((resolve) => {
    const seen = [];
    addEventListener("securitypolicyviolation", (e) => (seen.push(e.effectiveDirective), seen.length == 3 && resolve(seen.sort())));
    const box = document.createElement("div");
    box.innerHTML = "<img src=https://evil.example/x><b style='color:red' onclick='pwned(0)'>x</b>";
    document.body.append(box);
    box.querySelector("b").click();
    setTimeout(() => resolve(seen.sort()), 3000);
  }));
  assert.deepEqual(violations, ["img-src", "script-src-attr", "style-src-attr"]);
  await assert.rejects(harmless("an image of another website"));
  page.wrong = []; // this was our own doing
});

for (const [id, tabs] of Object.entries(panels)) {
  test(`nothing runs in the panel ${id}, in any of its tabs`, async () => {
    await show(page, at());
    for (const tab of tabs) {
      for (const prop of tab == "property" ? ["", ...properties] : [""]) {
        await turnTo(page, at({ [id]: tab, ...(prop && { prop }) }));
        await hover();
        await harmless(`${tab} ${prop}`);
      }
    }
  });
}

test("nothing runs in the graph with its note, who is there now, the hours and what was not counted", async () => {
  await show(page, at({ period: "today" }));
  await toTheEnd(page);
  await hover();
  await harmless("below");
  await page.evaluate(() => scrollTo(0, 0));
  for (const query of [{}, { by: "week" }]) {
    await show(page, at(query));
    const graph = await page.locator(".graph-box").boundingBox();
    for (const part of [0.5, 0.9, 0.96]) await page.mouse.move(graph.x + graph.width * part, graph.y + 60);
    await page.locator(".tip").waitFor();
    await harmless("graph");
  }
  await page.mouse.move(0, 0);
  await page.getByRole("button", { name: "Notes" }).click();
  await page.locator("dialog", { hasText: "onerror=pwned(4)" }).waitFor();
  await harmless("notes");
  await page.keyboard.press("Escape");
  await page.locator("button.live").click();
  await page.locator("dialog .bars").waitFor();
  await harmless("live");
});

test("nothing runs in a full list, its search, its order and its filters", async () => {
  await show(page, at());
  for (const dimension of dimensions) {
    await turnTo(page, at({ list: dimension, sort: "value" }));
    await hover();
    await harmless(dimension);
  }
  for (const payload of payloads) {
    const q = payload.slice(0, 1500).toWellFormed();
    await turnTo(page, at({ list: "page", q, is: "page:/" + q, not: "event:" + q }));
    await harmless(`search and filters: ${payload.slice(0, 60)}`);
  }
});

test("nothing runs in the address, whatever it says", async () => {
  await show(page, at());
  for (const payload of payloads.slice(0, 16)) {
    const q = payload.toWellFormed();
    await turnTo(page, at({ period: q, compare: q, metric: q, by: q, sources: q, events: "property", prop: q, list: q, sort: q, n: q, from: q, to: q, has: q + ":" + q }) + "#" + encodeURIComponent(q));
    await harmless(payload);
  }
  for (const path of ["/sign-in", "/setup"]) {
    await page.goto(at({ next: "javascript:pwned(1)", step: "snippet", website: payloads[3] }, path));
    await page.locator("main > *").first().waitFor();
    await harmless(path);
  }
});

test("a sign-in leads to no other website", async () => {
  for (const next of ["https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)", "/\t/evil.example"]) {
    await page.goto(at({ next }, "/sign-in")); // who is signed in already is led on at once
    await page.waitForURL((url) => url.pathname != "/sign-in", { timeout: 5000 });
    assert.equal(new URL(page.url()).origin, service.url, next);
    assert.deepEqual(page.wrong, [], next);
  }
});

test("nothing runs in the pages around the dashboard", async () => {
  for (const path of ["/", "/account", "/installation", `/${domain}/settings`, "/docs"]) {
    await show(page, service.url + path);
    await harmless(path);
  }
  await show(page, at({ search: payloads[3] }, "/"));
  await harmless("search of websites");
});

test("nothing runs in the dialogs of alerts and webhooks, whatever the service says", async () => {
  const attempts = payloads.map((payload, i) => ({
    id: i + 1, delivery: payload, kind: payload, attempt: 1, status: null, error: payload, duration_ms: 1, created_at: "2026-03-09T14:02:01Z",
  }));
  await page.route("**/deliveries", (r) => r.fulfill({ json: { data: attempts } }));
  await page.route("**/webhooks", (r) => r.fulfill({ json: { data: payloads.map((url, i) => ({ id: i + 1, url, created_at: "2026-03-09T14:02:01Z" })) } }));
  await show(page, `${service.url}/${domain}/settings`);
  await harmless("addresses of webhooks");
  for (const press of ["#alerts .line-tools button", "#alerts header button", "#webhooks .line-tools button"]) {
    await page.locator(press).first().click();
    await page.locator("dialog").waitFor();
    await settled(page);
    for (const older = page.getByRole("button", { name: "Older" }); ; await older.click()) {
      await hover();
      await harmless(press);
      if ((await older.count()) == 0 || (await older.isDisabled())) break;
    }
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
  }
  await page.unroute("**/deliveries");
  await page.unroute("**/webhooks");
});

test("even a report that is made of nothing else does nothing in its preview", async () => {
  await page.route("**/report?*", async (r) => r.fulfill({ response: await r.fetch(), body: `<p>${payloads.join("</p><p>")}</p><a href="https://evil.example/" target=_top>out</a>` }));
  await show(page, `${service.url}/${domain}/settings`);
  const ends = [];
  page.on("requestfailed", (r) => {
    const why = r.failure().errorText;
    const ours = r.url().startsWith(service.url + "/") && why == "net::ERR_ABORTED"; // the page itself thinks better of it at times
    if (!ours) ends.push(r.url().replace(service.url, "") + " " + why);
  });
  await page.getByRole("button", { name: "Preview" }).click();
  await page.frameLocator("dialog iframe").getByText("zalgo", { exact: false }).waitFor();
  const refused = /Content Security Policy|sandboxed|^asked http:\/\/evil\.example\/x$/; // what the browser tells that it did not do
  assert.deepEqual(page.wrong.filter((w) => !refused.test(w)), []);
  assert.deepEqual([...new Set(ends)].sort(), [`/api/v1/websites/${website.id}/x csp`, "http://evil.example/x csp"]);
  assert.ok(page.wrong.length > 0, "there was something to refuse");
  assert.equal(new URL(page.url()).origin, service.url);
  page.wrong = [];
  await page.unroute("**/report?*");
});

test("no cell of a file is a formula, and all that was sent is in it", async () => {
  const formula = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;
  const number = /^-?\d+(\.\d+)?$/;
  await show(page, at());
  for (const dimension of dimensions) {
    await turnTo(page, at({ list: dimension }));
    if ((await page.locator("dialog tbody tr").count()) == 0) continue;
    const file = async (name) => {
      const download = page.waitForEvent("download");
      await page.getByRole("dialog").getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name }).click();
      const found = await download;
      assert.match(found.suggestedFilename(), /^footfall-[A-Za-z0-9._-]+\.(csv|json)$/);
      return readFile(await found.path(), "utf8");
    };
    const rows = parse(await file("As CSV"));
    for (const cell of rows.flat()) assert.ok(number.test(cell) || !formula.test(cell), `${dimension}: ${JSON.stringify(cell)}`);
    const { rows: values } = JSON.parse(await file("As JSON"));
    assert.equal(rows.length, values.length + 1, dimension);
    await harmless("export of " + dimension);
  }
});

test("the log is silent about it all", () => assert.equal(service.log(), ""));
