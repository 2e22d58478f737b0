// TRUST.md S1 in mailboxes: reports and alerts in which all that others may choose is hostile, opened as a mailbox opens them
// that forgets to protect its reader. And how they look: nothing is wider than the screen.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launch } from "./support/browser.mjs";
import { payloads } from "./support/payloads.mjs";
import { lookAt } from "./support/people.mjs";
import { serve } from "./support/site.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const home = "https://stats.example.com"; // where the links lead to
const plain = "example.com"; // a domain as it should be, with pages and sources of that name

let site, browser, page, letters;

before(async () => {
  const run = promisify(execFile)("go", ["run", "./test/e2e/letters"], { cwd: root, env: { ...process.env, CGO_ENABLED: "0" }, maxBuffer: 100 << 20 });
  run.child.stdin.end(JSON.stringify([plain, ...payloads].map((s) => s.toWellFormed())));
  letters = JSON.parse((await run).stdout).flatMap((both, i) =>
    Object.entries(both).map(([kind, letter]) => ({ ...letter, kind, name: `${kind} with ${JSON.stringify(i ? payloads[i - 1].slice(0, 60) : plain)}` })));
  site = await serve(({ url }) => letters[url.pathname.slice(1)]?.html);
  browser = await launch();
  page = await lookAt(browser, { url: site.at("mailbox.example", "").replace(/\/$/, "") });
  await page.addInitScript(() => {
    Object.defineProperty(window, "pwned", { value: (n) => alert(`payload ${n} ran`) });
  });
});
after(async () => {
  await browser?.close();
  await site?.close();
});

const open = (i) => page.goto(site.at("mailbox.example", `/${i}`));

test("the payloads are in the emails: this test is about something", async () => {
  assert.equal(letters.length, 2 * (payloads.length + 1));
  for (const kind of ["report", "alert"]) {
    await open(letters.findIndex((l) => l.kind == kind && l.name.includes("onerror=pwned(4)")));
    assert.ok((await page.locator("body").innerText()).includes("<img src=x data-pwned onerror=pwned(4)>"), kind);
  }
});

test("nothing runs, nothing is loaded, links lead home, and nothing is cut", async () => {
  for (const [i, letter] of letters.entries()) {
    await open(i);
    const made = await page.evaluate((home) => {
      for (const e of document.querySelectorAll("body *")) {
        for (const kind of ["pointerover", "mouseover", "mousemove", "focus", "focusin"]) e.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
      }
      const inside = "[data-pwned], script, iframe, object, embed, base, link, svg, form, input, [onerror], [onload], [onmouseover], [onfocus], body style, meta[http-equiv]";
      const links = [...document.querySelectorAll("[href], [src], [action], [background], [srcset]")].filter((e) => {
        const to = e.getAttribute("href") ?? e.getAttribute("src") ?? "elsewhere";
        return !to.startsWith(home + "/") && !/^cid:chart\.[\w.@]+$/.test(to);
      });
      return [...document.querySelectorAll(inside), ...links].map((e) => e.outerHTML.slice(0, 200));
    }, home);
    assert.deepEqual(made, [], letter.name);
    for (const width of [600, 360]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate(() => {
        const out = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 0.5);
        return [document.documentElement.scrollWidth - innerWidth, ...out.slice(-1).map((e) => e.outerHTML.slice(0, 200))];
      });
      assert.deepEqual(wide, [0], `${letter.name} at ${width} pixels`);
    }
    assert.deepEqual(page.wrong, [], letter.name);
  }
});

test("the text is text: no control characters, nothing that hides or turns letters, and no link but ours", () => {
  for (const { text, subject, name } of letters) {
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/, name);
    assert.doesNotMatch(subject, /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/, name);
    assert.doesNotMatch(text.replaceAll(home, ""), /:\/\//, name);
  }
});
