// Those who look at the dashboard: tabs that are watched for what no page of ours may do.
import assert from "node:assert/strict";

// lookAt opens a tab of a new person who has never been here. What is against the rules ends up in page.wrong.
export async function lookAt(browser, service, options = {}) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  watch(page, service);
  return page;
}

// signedIn is the same for somebody who has an account.
export async function signedIn(browser, service, { email, password }, options = {}) {
  const page = await lookAt(browser, service, options);
  const answer = await page.request.post(service.url + "/api/v1/session", { data: { email, password } });
  assert.equal(answer.status(), 201, await answer.text());
  return page;
}

function watch(page, service) {
  page.wrong = [];
  page.on("pageerror", (error) => page.wrong.push(`threw ${error.message}`));
  page.on("dialog", async (dialog) => {
    page.wrong.push(`opened a ${dialog.type()}: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("popup", (popup) => page.wrong.push(`opened ${popup.url()}`));
  page.on("console", (message) => {
    if (/Content.Security.Policy|violates the following/i.test(message.text())) page.wrong.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin != service.url) page.wrong.push(`asked ${url}`);
  });
}

// settled waits until a page shows what it has to show: nothing is loading, and nothing is from before. What is far below
// is loaded when somebody comes near it.
export async function settled(page) {
  await page.waitForFunction(() => {
    const waiting = document.querySelectorAll("main .loading, main .stale, main .bones, dialog .loading, dialog .stale");
    const out = document.querySelector(".graph-place .failed") ? ".hours, .dropped, .numbers" : ".hours, .dropped"; // what failed waits for nothing
    return document.querySelector("main")?.childElementCount && ![...waiting].some((e) => !e.closest(out));
  });
}

// toTheEnd scrolls down, so that all of the page is loaded.
export async function toTheEnd(page) {
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => !document.querySelector("main .loading, main .stale"));
}

// show opens an address and waits until it is all there.
export async function show(page, address) {
  await page.goto(address);
  await settled(page);
}

// turnTo leads to an address as a link of the page does, without loading it anew.
export async function turnTo(page, address) {
  await page.evaluate((to) => new Promise((resolve) => {
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate"));
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  }), address);
  await settled(page);
}
