// For everyone: axe-core on every page, light and dark, wide and narrow; and the dashboard by keyboard alone.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { serious } from "./support/axe.mjs";
import { launch } from "./support/browser.mjs";
import { lookAt, settled, show, signedIn, toTheEnd } from "./support/people.mjs";
import { startDemo, startEmpty } from "./support/service.mjs";

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } };
let browser, demo, empty;
let me, guest, first; // somebody with an account, somebody without, and the owner of a new installation
let site, site2;

before(async () => {
  [demo, empty] = await Promise.all([startDemo(), startEmpty()]);
  browser = await launch();
  me = await signedIn(browser, demo, demo);
  guest = await lookAt(browser, demo);
  first = await lookAt(browser, empty);
  [site, site2] = demo.websites.map((w) => `${demo.url}/${w.domain}`);
  const send = (id, body) => demo.ask(`/api/v1/websites/${id}`, { method: "PUT", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  await send(demo.websites[0].id, { privacy: 0 });
  await send(demo.websites[1].id, { privacy: 2, password: "open sesame" });
});
after(async () => {
  await browser?.close();
  await Promise.all([demo?.stop(), empty?.stop()]);
});

// clean asks axe in every light and size. Whatever is wider than a phone has to scroll in a box of its own.
async function clean(page) {
  const found = {};
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const wrong = await serious(page);
      if (wrong.length > 0) found[`${size} ${colorScheme}`] = wrong;
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) found[`${size}`] = `it is ${over} px too wide`;
  }
  assert.deepEqual(found, {});
  assert.deepEqual(page.wrong, []);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });

describe("axe finds nothing serious", () => {
  test("on the first start: account, website, snippet", async () => {
    await show(first, empty.link);
    await first.getByLabel("Email").fill("anna@example.com");
    await clean(first);
    await first.getByLabel("Password", { exact: true }).fill("correct horse battery");
    await button(first, "Create account").click();
    await first.getByLabel("Domain").waitFor();
    await clean(first);
    await first.getByLabel("Domain").fill("shop.example");
    await button(first, "Add website").click();
    await first.getByText("Options", { exact: true }).click();
    await clean(first);
  });
  test("on a dashboard before the first visit", async () => {
    await show(first, empty.url + "/shop.example");
    await first.getByRole("heading", { name: "Waiting for the first visit" }).waitFor();
    await clean(first);
  });
  test("on the sign-in, with a mistake", async () => {
    await show(guest, demo.url + "/sign-in");
    await guest.getByLabel("Email").fill("nobody@example.com");
    await guest.getByLabel("Password", { exact: true }).fill("not the password");
    await button(guest, "Sign in").click();
    await guest.getByRole("alert").first().waitFor();
    await clean(guest);
  });
  test("on the list of websites", async () => {
    await show(me, demo.url + "/");
    await clean(me);
  });
  test("on the dashboard, with filters", async () => {
    await show(me, `${site}?is=device:Desktop&not=page:/jobs`);
    await toTheEnd(me);
    await clean(me);
  });
  test("on the dashboard, with other tabs and another number", async () => {
    await show(me, `${site}?sources=campaign&places=country&devices=os&events=property&prop=plan&metric=bounce_rate&period=12mo`);
    await toTheEnd(me);
    await clean(me);
  });
  test("on the full list", async () => {
    await show(me, `${site}?list=page`);
    await clean(me);
  });
  for (const [name, key] of Object.entries({ "the dialog for a filter": "f", "the dialog for a period": "c", "the list of shortcuts": "?" })) {
    test(`on ${name}`, async () => {
      await show(me, site);
      await me.keyboard.press(key);
      await me.locator("dialog").waitFor();
      await clean(me);
    });
  }
  test("on an open menu", async () => {
    await show(me, site);
    await button(me, "Menu").click();
    await clean(me);
  });
  test("on the settings of a website", async () => {
    await show(me, site + "/settings");
    await clean(me);
  });
  for (const [name, press] of Object.entries({ "the form of an alert": "#alerts header button", "a report": "#reports header button", "how to check a signature": "#webhooks summary" })) {
    test(`on the settings of a website, with ${name}`, async () => {
      await show(me, site + "/settings");
      await me.locator(press).click();
      await settled(me);
      await clean(me);
    });
  }
  test("on the account", async () => {
    await show(me, demo.url + "/account");
    await clean(me);
  });
  test("on the installation", async () => {
    await show(me, demo.url + "/installation");
    await clean(me);
  });
  test("on the documentation of the interface", async () => {
    await me.goto(demo.url + "/docs");
    await me.locator("main h3").first().waitFor();
    await me.evaluate(() => [...document.querySelectorAll("main section")].slice(8).forEach((s) => s.remove())); // all are alike
    await clean(me);
  });
  test("on a public dashboard, also in a frame", async () => {
    await show(guest, site);
    await clean(guest);
    await show(guest, site + "?embed=true");
    await clean(guest);
  });
  test("on the form for the password of a dashboard, with a mistake", async () => {
    await show(guest, site2);
    await guest.getByLabel("Password", { exact: true }).fill("open barley");
    await button(guest, "Open the dashboard").click();
    await guest.getByRole("alert").waitFor();
    await clean(guest);
  });
  test("on a website that is not there", async () => {
    await show(guest, demo.url + "/nothing.example");
    await clean(guest);
  });
});

describe("by keyboard alone", () => {
  // reached is the names of all that Tab leads to, in order.
  async function reached(page) {
    const names = [];
    for (let i = 0; i < 300; i++) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const e = document.activeElement;
        if (!e || e === document.body) return null;
        if (e.dataset.seenByTab) return null;
        e.dataset.seenByTab = "1";
        const ring = getComputedStyle(e);
        return { name: (e.getAttribute("aria-label") ?? e.textContent).trim(), ring: ring.outlineStyle != "none" || ring.boxShadow != "none" };
      });
      if (!name) break;
      names.push(name);
    }
    return names;
  }

  test("Tab reaches everything on the dashboard that a mouse does, in sight", async () => {
    await me.setViewportSize(sizes.wide);
    await show(me, `${site}?places=country`);
    await toTheEnd(me);
    const names = await reached(me);
    const text = names.map((n) => n.name).join("\n");
    for (const what of ["Skip to content", "Settings", "Menu", "Filter", "Period: ", "Earlier", "Visitors", "Bounce rate", "Sources", "Show all: ", "Google"]) {
      assert.ok(text.includes(what), `Tab does not reach ${what}: ${text}`);
    }
    const missed = await me.evaluate(() =>
      [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
        .filter((e) => !e.dataset.seenByTab && !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }))
        .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(missed, []);
    assert.deepEqual(names.filter((n) => !n.ring), [], "without a sign of where the focus is");
    assert.equal(names[0].name, "Skip to content");
  });

  test("arrows lead through tabs and menus, Escape closes and gives the focus back", async () => {
    await show(me, site);
    const chosen = me.getByRole("tablist", { name: "Sources" }).getByRole("tab", { selected: true });
    await me.getByRole("tablist", { name: "Sources" }).getByRole("tab", { selected: true }).focus();
    await me.keyboard.press("ArrowRight");
    await settled(me);
    assert.equal(await chosen.textContent(), "Channels");
    assert.equal(await me.evaluate(() => document.activeElement.textContent), "Channels");

    await me.getByRole("button", { name: /^Period: / }).focus();
    await me.keyboard.press("Enter");
    await me.waitForFunction(() => document.activeElement.closest(".menu-list"));
    await me.keyboard.press("Home");
    assert.match(await me.evaluate(() => document.activeElement.textContent), /^Today/);
    await me.keyboard.press("Escape");
    assert.match(await me.evaluate(() => document.activeElement.getAttribute("aria-label")), /^Period: /);

    const all = me.getByRole("button", { name: "Show all: Pages" });
    await all.focus();
    await me.keyboard.press("Enter");
    await me.locator("dialog input").waitFor();
    await me.keyboard.press("Escape");
    await me.waitForFunction(() => !document.querySelector("dialog"));
    assert.equal(await me.evaluate(() => document.activeElement.getAttribute("aria-label")), "Show all: Pages");
  });

  test("the shortcuts that ? lists do what it says", async () => {
    await show(me, site);
    await me.keyboard.press("?");
    const listed = await me.locator("dialog kbd").allTextContents();
    await me.keyboard.press("Escape");
    await me.waitForFunction(() => !document.querySelector("dialog"));
    for (const key of ["T", "W", "M", "A", "X", "F", "/", "?"]) assert.ok(listed.includes(key), `${key} is not in ${listed}`);

    const period = () => new URL(me.url()).searchParams.get("period");
    for (const [key, wanted] of Object.entries({ t: "today", y: "yesterday", w: "7d", m: "month", l: "12mo", a: "all", d: null })) {
      await me.keyboard.press(key);
      await settled(me);
      assert.equal(period(), wanted, key);
    }
    await me.keyboard.press("x");
    await settled(me);
    assert.equal(new URL(me.url()).searchParams.get("compare"), "year");
    await me.keyboard.press("f");
    await me.locator("dialog").waitFor();
    await me.keyboard.type("today"); // what is typed into a field is no shortcut
    assert.equal(period(), null);
    assert.equal(await me.locator("dialog input[name=value]").inputValue(), "today");
  });
});
