// The tracker in a real browser, against a stand-in that writes down what it sends. road.test.mjs has the real service.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { minify } from "../../tracker/build.mjs";
import { commandLine, launch } from "./support/browser.mjs";
import { record } from "./support/recorder.mjs";

const host = "site.example";
let recorder;
let browser;
const open = []; // what closes what a test has opened

before(async () => {
  recorder = await record();
  browser = await launch();
});
after(async () => {
  await browser.close();
  recorder.close();
});
afterEach(closeAll);

async function closeAll() {
  for (const close of open.splice(0).reverse()) await close();
}

// tell makes a site whose every page has the tracker, with attributes of its tag, and says where events go.
function tell(attributes = "", { file = "script.js", head = "", body = "", headers = {}, status } = {}) {
  const page = ({ url }) => {
    if (url.pathname == "/favicon.ico") return { status: 204 };
    const tag = `<script src="${stand.url}/js/${file}" ${attributes.replaceAll("STATS", stand.url)}></script>`;
    return {
      status: status ?? 200,
      headers: Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, v.replaceAll("STATS", stand.url)])),
      body: `<!doctype html><title>${url.pathname}</title>${head}${tag}<body>${body}`,
    };
  };
  const stand = recorder.stand({ [host]: page, "127.0.0.1": page, localhost: page, "app.localhost": page, "www.site.example": page });
  open.push(() => recorder.remove(stand));
  return stand;
}

// visitor opens a tab of a new visitor. What the page throws fails the test.
async function visitor({ options = {}, init, from = browser } = {}) {
  const context = await from.newContext(options);
  open.push(() => context.close());
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.sent = [];
  page.on("request", (request) => request.url().endsWith("/api/event") && page.sent.push(request.response().catch(() => {})));
  if (init) await page.addInitScript(init);
  return page;
}

// paused is a tab whose clock stands still: the test moves it.
async function paused() {
  const page = await visitor();
  await page.clock.install({ time: "2026-03-01T09:59:59Z" });
  await page.clock.pauseAt("2026-03-01T10:00:00Z");
  return page;
}

// visit opens the first page and waits for its pageview.
async function visit(stand, path = "/", options = {}) {
  const page = await visitor(options);
  await page.goto(recorder.at(host, path));
  await stand.until(1);
  return page;
}

// settled waits until all that the page has put off is on its way, as timers of a page keep their order, and has arrived.
// What a page sends at once travels side by side: a test that looks at the order settles between its steps.
const settled = async (page) => {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));
  await Promise.all(page.sent);
};

// hide makes the page think that another tab is in front.
const hide = (page, hidden = true) =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);

// What is sent together may arrive in any order: its age says when it was.
const inAnyOrder = (rows) => rows.map((row) => JSON.stringify(row)).sort();
const names = (stand) => stand.events.map((e) => e.n).sort();
const named = (stand, name) => stand.events.filter((e) => e.n == name);
const paths = (stand) => named(stand, "pageview").map((e) => e.u.slice(recorder.at(host, "").length));

describe("pageviews", () => {
  test("a page that is opened is one pageview, with all that the wire asks for", async () => {
    const stand = tell();
    const page = await visitor({ options: { screen: { width: 1366, height: 768 } } });
    await page.goto(recorder.at(host, "/a?b=c#d"), { referer: "https://search.example/" });
    const [{ a, i, ...event }] = await stand.until(1);
    assert.deepEqual(event, { u: recorder.at(host, "/a?b=c"), n: "pageview", r: "https://search.example/", s: "1366x768", t: 0, h: false, wd: false });
    assert.equal(typeof i, "number");
    assert.ok(a >= 0 && a < 5000, `age ${a}`);
    await settled(page);
    assert.equal(stand.events.length, 1);
  });

  test("in a single-page application every new path counts, however it was reached", async () => {
    const stand = tell();
    const page = await visit(stand, "/");
    const steps = [
      () => history.pushState({}, "", "/pushed"),
      () => history.pushState({}, "", "/pushed?only=query"),
      () => history.replaceState({}, "", "/pushed?other=query#part"),
      () => history.replaceState({}, "", "/replaced"),
      () => history.pushState({}, "", "/last"),
      () => new Promise((resolve) => (addEventListener("popstate", resolve, { once: true }), history.back())),
    ];
    for (const step of steps) {
      await page.evaluate(step);
      await settled(page);
    }
    assert.deepEqual(paths(stand), ["/", "/pushed", "/replaced", "/last", "/replaced"]);
  });

  test("a fragment is not sent, and not a page", async () => {
    const stand = tell();
    const page = await visit(stand, "/a#token=secret");
    await page.evaluate(() => (location.hash = "other"));
    await settled(page);
    assert.deepEqual(paths(stand), ["/a"]);
  });

  test("with data-hash fragments are pages", async () => {
    const stand = tell("data-hash");
    const page = await visit(stand, "/#/one");
    await page.evaluate(() => (location.hash = "/two"));
    await stand.until(2);
    await settled(page);
    assert.deepEqual(paths(stand), ["/#/one", "/#/two"]);
    assert.ok(stand.events.every((e) => e.h === true));
  });

  test("data-manual counts nothing by itself, and what it is told", async () => {
    const stand = tell("data-manual");
    const page = await visitor();
    await page.goto(recorder.at(host, "/secret/42"));
    await page.evaluate(() => history.pushState({}, "", "/secret/43"));
    await settled(page);
    assert.deepEqual(stand.events, []);
    await page.evaluate((u) => footfall("pageview", { u }), recorder.at(host, "/secret"));
    await stand.until(1);
    assert.deepEqual(paths(stand), ["/secret"]);
  });

  test("a page that comes back from the back/forward cache is a pageview", async () => {
    const withCache = await launch({ ignoreDefaultArgs: ["--disable-back-forward-cache"] });
    open.push(() => withCache.close());
    const stand = tell();
    const page = await visitor({ from: withCache });
    await page.addInitScript(() => addEventListener("pageshow", (e) => (window.restored = e.persisted)));
    await page.goto(recorder.at(host, "/first"));
    await stand.until(1);
    await page.goto(recorder.at(host, "/second"));
    await stand.until(2, "pageview");
    await page.evaluate(() => history.back()).catch(() => {}); // the page that asks goes away
    await page.waitForURL("**/first", { waitUntil: "commit" });
    assert.equal(await page.evaluate(() => window.restored), true, "Chromium did not keep the page");
    await stand.until(3, "pageview");
    assert.deepEqual(paths(stand), ["/first", "/second", "/first"]);
  });

  // The driver does not follow Chromium into a page that was prerendered, so the page is told that it is one.
  test("a prerendered page counts when it is looked at, not before", async () => {
    const stand = tell("", { body: '<script>footfall("Early")</script>' });
    const page = await visitor({ init: () => Object.defineProperty(document, "prerendering", { configurable: true, get: () => true }) });
    await page.goto(recorder.at(host));
    await hide(page);
    await settled(page);
    assert.deepEqual(stand.events, []);
    await page.evaluate(() => {
      delete document.prerendering;
      document.dispatchEvent(new Event("prerenderingchange"));
    });
    await stand.until(2);
    assert.deepEqual(names(stand), ["Early", "pageview"]);
    assert.ok(stand.events.every((e) => e.a < 5000), "its age begins when it is looked at");
  });
});

describe("events", () => {
  test("an event has a name, value, unit and properties", async () => {
    const stand = tell();
    const page = await visit(stand);
    await page.evaluate(() => footfall("Signup", { value: 12.5, unit: "EUR", props: { plan: "pro" } }));
    const [, { n, value, unit, props }] = await stand.until(2);
    assert.deepEqual({ n, value, unit, props }, { n: "Signup", value: 12.5, unit: "EUR", props: { plan: "pro" } });
  });

  test("calls before the script is there are kept by the stub", async () => {
    const stub = "<script>window.footfall=window.footfall||function(){(footfall.q=footfall.q||[]).push(arguments)};footfall('Early', {value: 1})</script>";
    const stand = tell("defer", { head: stub });
    await visit(stand);
    await stand.until(2);
    assert.deepEqual(names(stand), ["Early", "pageview"]);
    assert.equal(named(stand, "Early")[0].value, 1);
  });

  test("attributes make events of clicks and of submitted forms", async () => {
    const stand = tell("", {
      body: `<button data-footfall-event="Buy" data-footfall-value="9.99" data-footfall-unit="USD" data-footfall-prop-plan="pro" data-footfall-prop-two-words="a b" class="x" title="private"><b id=buy>Buy</b></button>
        <form id=form data-footfall-event="Ask" onsubmit="event.preventDefault()"><input id=field><button id=submit>Go</button></form>`,
    });
    const page = await visit(stand);
    await clicks(page, ["buy", "field", "submit"]);
    assert.deepEqual(names(stand), ["Ask", "Buy", "pageview"]);
    const [[buy], [ask]] = [named(stand, "Buy"), named(stand, "Ask")];
    assert.deepEqual([buy.n, buy.value, buy.unit, buy.props], ["Buy", "9.99", "USD", { plan: "pro", "two-words": "a b" }]);
    assert.deepEqual([ask.n, ask.props], ["Ask", {}]);
    assert.ok(!JSON.stringify(stand.events).includes("private"), "an attribute that is not ours was sent");
  });

  // Links do not lead anywhere in these tests: what is clicked is looked at, not what comes then.
  const stay = "<script>addEventListener('click', e => e.preventDefault()); addEventListener('auxclick', e => e.preventDefault())</script>";
  const links = `${stay}<a id=out href="https://other.example/x?email=me#y"><i>out</i></a> <a id=sub href="http://deep.site.example/">sub</a>
    <a id=own href="/own">own</a> <a id=mail href="mailto:me@other.example">mail</a> <a id=phone href="tel:1">phone</a> <a id=none>none</a>
    <a id=pdf href="/files/a.pdf?sig=1">pdf</a> <a id=docx href="/a.docx">docx</a> <a id=js href="/wiki/Node.js">js</a> <a id=dot href="/xpdf">xpdf</a> <a id=own-type href="/a.blend">blend</a>
    <a id=tagged href="https://other.example/" data-footfall-event="Partner">partner</a>`;
  const clicks = async (page, ids) => {
    for (const id of ids) {
      await page.click(`#${id}`);
      await settled(page);
    }
  };
  const seen = (stand) => stand.events.slice(1).map((e) => [e.n, e.props?.url]);

  test("data-outbound counts links to other hosts, without their query", async () => {
    const stand = tell("data-outbound", { body: links });
    const page = await visit(stand);
    await clicks(page, ["out", "sub", "own", "mail", "phone", "none", "pdf", "tagged"]);
    assert.deepEqual(seen(stand), [["Outbound", "https://other.example/x"], ["Outbound", "http://deep.site.example/"], ["Partner", undefined]]);
    await page.click("#out", { button: "middle" });
    await page.click("#out", { button: "right" });
    await settled(page);
    assert.equal(named(stand, "Outbound").length, 3, "the middle button opens a link, the right one does not");
  });

  test("data-downloads counts files of the usual kinds", async () => {
    const stand = tell("data-downloads", { body: links });
    await clicks(await visit(stand), ["out", "pdf", "docx", "js", "dot", "own-type"]);
    assert.deepEqual(seen(stand), [["Download", recorder.at(host, "/files/a.pdf")], ["Download", recorder.at(host, "/a.docx")]]);
  });

  test("data-downloads with a list counts those", async () => {
    const stand = tell('data-downloads="blend, js"', { body: links });
    await clicks(await visit(stand), ["pdf", "js", "own-type"]);
    assert.deepEqual(seen(stand), [["Download", recorder.at(host, "/wiki/Node.js")], ["Download", recorder.at(host, "/a.blend")]]);
  });

  test("without these options links and forms are nobody's business", async () => {
    const stand = tell("", { body: links + '<form onsubmit="event.preventDefault()"><button id=submit>Go</button></form>' });
    await clicks(await visit(stand), ["out", "pdf", "submit"]);
    assert.deepEqual(seen(stand), []);
  });

  test("data-forms counts forms that are submitted, and not those that a browser refuses", async () => {
    const form = (id, more) => `<form onsubmit="event.preventDefault()"><input ${more}><button id=${id}>Go</button></form>`;
    const stand = tell("data-forms", { body: form("good", "value=private") + form("bad", "required") });
    await clicks(await visit(stand), ["bad", "good"]);
    assert.deepEqual(seen(stand), [["Form", undefined]]);
    assert.ok(!JSON.stringify(stand.events).includes("private"));
  });

  test("data-404 says that the page is missing", async () => {
    const stand = tell("data-404", { status: 404 });
    await visit(stand, "/gone");
    await stand.until(2);
    assert.deepEqual(names(stand), ["404", "pageview"]);
    assert.equal(named(stand, "404")[0].u, recorder.at(host, "/gone"));
  });

  test("an event that JSON cannot hold is left out, and nothing else", async () => {
    const stand = tell();
    const page = await visit(stand);
    await page.evaluate(() => {
      const circle = {};
      circle.circle = circle;
      footfall("Circle", { props: circle });
      footfall("Big", { value: 10n });
      footfall("Good", null);
    });
    await stand.until(2);
    await settled(page);
    assert.deepEqual(stand.events.map((e) => e.n), ["pageview", "Good"]);
    assert.deepEqual(page.errors, []);
  });
});

describe("engagement", () => {
  const watched = async (stand) => {
    const page = await paused();
    await page.goto(recorder.at(host, "/long"));
    await page.clock.runFor(100);
    await stand.until(1);
    return page;
  };
  const focus = (page, focused) =>
    page.evaluate((focused) => {
      document.hasFocus = () => focused;
      dispatchEvent(new Event(focused ? "focus" : "blur"));
    }, focused);
  const tall = '<style>body{margin:0}</style><div style="height:4000px"></div>';

  test("counts the time that a page is visible and in focus, and how far it was scrolled", async () => {
    const stand = tell("", { body: tall });
    const page = await watched(stand);
    await page.setViewportSize({ width: 800, height: 1000 });
    await page.clock.runFor(2900); // 3 s with the first 100 ms
    await focus(page, false);
    await page.clock.runFor(60_000); // another window is in front
    await focus(page, true);
    await page.evaluate(() => scrollTo(0, 2000));
    await page.waitForFunction(() => scrollY == 2000);
    await page.evaluate(() => new Promise((resolve) => addEventListener("scroll", resolve, { once: true }) ?? dispatchEvent(new Event("scroll"))));
    await page.evaluate(() => scrollTo(0, 0));
    await page.clock.runFor(4000);
    await hide(page);
    const [, { n, u, e, sd, a }] = await stand.until(2);
    assert.deepEqual({ n, u, e, sd }, { n: "engagement", u: recorder.at(host, "/long"), e: 7000, sd: 75 });
    assert.equal(a, 67_000, "it is as old as its pageview");
  });

  test("is sent again only with something new", async () => {
    const stand = tell("", { body: tall });
    const page = await watched(stand);
    await page.clock.runFor(900);
    await hide(page);
    await stand.until(2);
    await page.clock.runFor(30_000); // nobody sees it
    await hide(page, true);
    await hide(page, false);
    await page.clock.runFor(500);
    await hide(page);
    await stand.until(3);
    assert.deepEqual(named(stand, "engagement").map((e) => e.e), [1000, 500]);
  });

  test("belongs to the page that was looked at when another takes its place", async () => {
    const stand = tell("", { body: tall });
    const page = await watched(stand);
    await page.clock.runFor(1900);
    await page.evaluate(() => history.pushState({}, "", "/other"));
    await stand.until(2);
    await page.clock.runFor(100);
    await stand.until(3);
    assert.deepEqual(stand.events.map((e) => [e.n, e.u, e.e]), [
      ["pageview", recorder.at(host, "/long"), undefined],
      ["engagement", recorder.at(host, "/long"), 2000],
      ["pageview", recorder.at(host, "/other"), undefined],
    ]);
  });

  test("is sent when the page is left for another, or closed", async () => {
    const stand = tell();
    const page = await visit(stand, "/one");
    await page.goto(recorder.at(host, "/two"));
    await stand.until(3);
    await page.close({ runBeforeUnload: true });
    await stand.until(4);
    assert.deepEqual(named(stand, "engagement").map((e) => new URL(e.u).pathname), ["/one", "/two"]);
  });

  test("a pageview is not lost when the page is left at once", async () => {
    const stand = tell("", { body: '<script>if (location.pathname == "/first") { footfall("At once"); location = "/second" }</script>' });
    const page = await visitor();
    await page.goto(recorder.at(host, "/first")).catch(() => {});
    await stand.until(2);
    assert.ok(paths(stand).includes("/first"));
    assert.equal(named(stand, "At once").some((e) => e.u.endsWith("/first")), true);
  });
});

describe("sending", () => {
  const held = async (stand, status) => {
    stand.status = status;
    const page = await paused();
    await page.goto(recorder.at(host));
    const answered = page.waitForResponse("**/api/event");
    await page.clock.runFor(100);
    await answered;
    return page;
  };

  for (const status of [503, 500, 429]) {
    test(`after ${status} the same event is sent again, with its age`, async () => {
      const stand = tell();
      const page = await held(stand, (event, before) => (before ? 202 : status));
      const answered = page.waitForResponse("**/api/event");
      await page.clock.runFor(5000);
      await answered;
      const [first, second] = stand.events;
      assert.equal(stand.events.length, 2);
      assert.equal(second.i, first.i);
      assert.ok(second.a >= 5000 && second.a < 10_000, `age ${second.a}`);
      await page.clock.runFor(600_000);
      assert.equal(stand.events.length, 2, "it was sent again after it had been accepted");
    });
  }

  test("without an answer it is sent again, and tries grow rare", async () => {
    const stand = tell();
    const page = await paused();
    let tries = 0;
    await page.route("**/api/event", (route) => (++tries, route.abort("connectionrefused")));
    await page.goto(recorder.at(host));
    const failed = () => page.waitForEvent("requestfailed");
    for (const [ms, want] of [[100, 1], [5000, 2], [9000, 2], [1000, 3], [15_000, 4]]) {
      const next = want > tries ? failed() : null;
      await page.clock.runFor(ms);
      await next;
      assert.equal(tries, want, `tries after another ${ms} ms`);
    }
    await page.unroute("**/api/event");
    await hide(page);
    await stand.until(1);
    assert.equal(stand.events[0].n, "pageview", "what waits gets a last chance when the page is hidden");
  });

  test("at most ten events wait for another try", async () => {
    const stand = tell();
    const page = await held(stand, () => 503);
    await page.evaluate(() => {
      const send = fetch;
      window.unanswered = 0;
      window.fetch = (...args) => {
        unanswered++;
        const answer = send(...args);
        answer.then(() => unanswered--); // before the tracker hears of it, and then it does at once
        return answer;
      };
      for (let i = 0; i < 50; i++) footfall("Many");
    });
    await page.clock.runFor(100);
    while ((await page.evaluate(() => unanswered)) > 0); // waitForFunction would wait for the page's clock
    stand.status = () => 202;
    const before = stand.events.length;
    await page.clock.runFor(3_600_000);
    await Promise.all(page.sent);
    assert.equal(stand.events.length - before, 10);
  });

  test("what the service refuses is not sent again", async () => {
    const stand = tell();
    const page = await held(stand, () => 400);
    await page.clock.runFor(3_600_000);
    assert.equal(stand.events.length, 1);
  });

  test("a browser without fetch sends beacons", async () => {
    const stand = tell();
    await visit(stand, "/", { init: () => delete window.fetch });
    assert.deepEqual(paths(stand), ["/"]);
  });

  test("client hints come along where the browser has them", async () => {
    const stand = tell("data-local");
    const page = await visitor();
    await page.goto(recorder.at("127.0.0.1")); // hints are for secure contexts, which loopback is
    const [{ ch }] = await stand.until(1);
    const want = await page.evaluate(async () => {
      const h = await navigator.userAgentData.getHighEntropyValues(["platformVersion", "model"]);
      return { pv: h.platformVersion, m: h.model };
    });
    assert.deepEqual(ch, want);
  });

  test("a pageview does not wait for hints that never come", async () => {
    const stand = tell("data-local");
    const page = await visitor({ init: () => (NavigatorUAData.prototype.getHighEntropyValues = () => new Promise(() => {})) });
    await page.goto(recorder.at("127.0.0.1"));
    const [{ n, ch }] = await stand.until(1);
    assert.deepEqual([n, ch], ["pageview", undefined]);
  });

  test("data-api says where events go, data-host and the script's own address where else", async () => {
    const cases = { 'data-api="STATS/proxied/e"': "/proxied/e", 'data-host="STATS"': "/api/event", "": "/api/event" };
    for (const [attributes, path] of Object.entries(cases)) {
      const stand = tell(attributes);
      await visit(stand);
      assert.equal(stand.requests.at(-1).url.pathname, path, attributes);
      recorder.remove(stand);
    }
  });

  test("data-domain names the website", async () => {
    const stand = tell('data-domain="example.com"');
    await visit(stand);
    assert.equal(stand.events[0].d, "example.com");
  });
});

describe("who is not counted", () => {
  // silent opens a page and expects that nothing is sent, but that callbacks are called: pages wait for them.
  const silent = async (stand, page, url) => {
    await page.goto(url);
    await page.evaluate(() => new Promise((callback) => footfall("Event", { callback })));
    await settled(page);
    await hide(page);
    await settled(page);
    assert.deepEqual(stand.events, []);
  };

  for (const name of ["127.0.0.1", "localhost", "app.localhost"]) {
    test(`nothing is sent from ${name}, unless data-local is there`, async () => {
      await silent(tell(), await visitor(), recorder.at(name));
      await closeAll();
      const stand = tell("data-local");
      await (await visitor()).goto(recorder.at(name));
      await stand.until(1);
    });
  }

  test("nothing is sent from a file", async () => {
    const stand = tell();
    const dir = await mkdtemp(join(tmpdir(), "footfall-page-"));
    open.push(() => rm(dir, { recursive: true }));
    await writeFile(join(dir, "page.html"), `<script src="${stand.url}/js/script.js"></script>`);
    await silent(stand, await visitor(), `file://${dir}/page.html`);
  });

  test("nothing is sent by automation, unless data-local is there", async () => {
    const automated = await launch({ automated: true });
    open.push(() => automated.close());
    const without = tell();
    await silent(without, await visitor({ from: automated }), recorder.at(host));
    recorder.remove(without);
    const stand = tell("data-local");
    await (await visitor({ from: automated })).goto(recorder.at(host));
    await stand.until(1);
    assert.equal(stand.events[0].wd, true);
  });

  test("nothing is sent by a headless browser that nobody drives", async () => {
    const stand = tell("", { body: "<script>document.title = navigator.webdriver + navigator.userAgent</script>" });
    const dir = await mkdtemp(join(tmpdir(), "footfall-profile-"));
    open.push(() => rm(dir, { recursive: true, force: true }));
    const [command, args] = commandLine("--dump-dom", "--virtual-time-budget=2000", `--user-data-dir=${dir}`, recorder.at(host));
    const { stdout } = await promisify(execFile)(command, args);
    assert.match(stdout, /<title>false.*Headless/);
    assert.ok(stand.requests.length > 0, "the script was not loaded");
    assert.deepEqual(stand.events, []);
  });

  test("the visitor's own wish is kept, and can be taken back, by address alone", async () => {
    const stand = tell();
    const page = await visitor();
    const said = [];
    page.on("dialog", (d) => (said.push(d.message()), d.accept()));
    await page.goto(recorder.at(host, "/#footfall-ignore"));
    await page.goto(recorder.at(host, "/again"));
    await settled(page);
    assert.deepEqual(stand.events, []);
    assert.deepEqual(await page.evaluate(() => ({ ...localStorage })), { footfall: "#footfall-ignore" });
    await page.evaluate(() => (location.hash = "footfall-count")); // typed into the address of an open page
    await page.goto(recorder.at(host, "/counted"));
    await stand.until(1);
    assert.deepEqual(paths(stand), ["/counted"]);
    assert.deepEqual(said, ["#footfall-ignore", "#footfall-count"]);
  });

  test("other fragments that begin alike wish nothing", async () => {
    const stand = tell();
    const page = await visit(stand, "/#footfall-in-shops");
    assert.deepEqual(await page.evaluate(() => localStorage.length), 0);
  });

  for (const [signal, init] of Object.entries({
    "Do Not Track": () => Object.defineProperty(Navigator.prototype, "doNotTrack", { get: () => "1" }),
    "Global Privacy Control": () => Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true, configurable: true }),
  })) {
    test(`${signal} is heeded with data-dnt="true"`, async () => {
      await silent(tell('data-dnt="true"'), await visitor({ init }), recorder.at(host));
    });
    test(`${signal} changes nothing with data-dnt="false"`, async () => {
      await visit(tell('data-dnt="false"'), "/", { init });
    });
  }

  test("data-dnt counts those who ask for nothing", async () => {
    await visit(tell('data-dnt="true"'));
  });

  test("data-exclude and data-include choose pages by path", async () => {
    const cases = [
      ['data-exclude="/admin*, /draft/*/edit"', { "/admin/x": 0, "/draft/7/edit": 0, "/draft/7": 1, "/my/admin": 1, "/": 1, "/?next=/admin": 1 }],
      ['data-include="/blog/**"', { "/blog/a/b": 1, "/blog": 0, "/": 0 }],
      ['data-include="/blog*" data-exclude="/blog/drafts*"', { "/blog/a": 1, "/blog/drafts/a": 0, "/x": 0 }],
    ];
    for (const [attributes, wanted] of cases) {
      for (const [path, count] of Object.entries(wanted)) {
        const stand = tell(attributes);
        const page = await visitor();
        await page.goto(recorder.at(host, path));
        await settled(page);
        assert.equal(named(stand, "pageview").length, count, `${attributes} at ${path}`);
        await closeAll();
      }
    }
  });
});

describe("a page is left in peace", () => {
  test("no cookie, no storage, one host, and no error", async () => {
    const stand = tell("data-outbound data-downloads data-forms data-404 data-hash", { body: '<button id=b data-footfall-event="B">b</button>' });
    const page = await visitor();
    const hosts = new Set();
    page.on("request", (r) => hosts.add(new URL(r.url()).hostname));
    await page.goto(recorder.at(host));
    await page.click("#b");
    await stand.until(3);
    await hide(page);
    await stand.until(4);
    assert.deepEqual([...hosts].sort(), [host, stand.host]);
    assert.deepEqual(await page.context().cookies(), []);
    assert.deepEqual(await page.evaluate(async () => [document.cookie, localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]), ["", 0, 0, 0]);
    assert.ok(stand.requests.every((r) => !r.headers.cookie));
    assert.deepEqual(page.errors, []);
  });

  test("only the names that it says are global", async () => {
    const stand = tell();
    const page = await visitor({ init: () => (window.before = Object.keys(window)) });
    await page.goto(recorder.at(host));
    assert.deepEqual(await page.evaluate(() => Object.keys(window).filter((k) => k != "before" && !window.before.includes(k))), ["footfall"]);
  });

  test("works under a strict Content-Security-Policy", async () => {
    const policy = "default-src 'none'; script-src STATS; connect-src STATS; require-trusted-types-for 'script'; trusted-types 'none'";
    const stand = tell("data-outbound", { headers: { "Content-Security-Policy": policy }, body: '<b id=b data-footfall-event="B">b</b>' });
    const page = await visitor({ init: () => addEventListener("securitypolicyviolation", (e) => (window.violated = e.violatedDirective + e.blockedURI)) });
    await page.goto(recorder.at(host));
    await page.click("#b");
    await stand.until(2);
    assert.deepEqual(await page.evaluate(() => window.violated), undefined);
  });

  test("runs with its integrity attribute", async () => {
    const integrity = await promisify(execFile)("sh", ["-c", "openssl dgst -sha384 -binary ../../tracker/script.min.js | base64 -w0"], { cwd: import.meta.dirname });
    await visit(tell(`integrity="sha384-${integrity.stdout.trim()}" crossorigin`));
  });

  test("a second copy of the script counts nothing twice", async () => {
    const stand = tell("", { head: "", body: "" });
    const twice = `<script src="${stand.url}/js/script.js"></script>`;
    stand.pages[host] = () => `<!doctype html>${twice}${twice}<button id=b data-footfall-event="B">b</button>`;
    const page = await visit(stand);
    await page.click("#b");
    await settled(page);
    await page.evaluate(() => history.pushState({}, "", "/next"));
    await settled(page);
    assert.deepEqual(stand.events.filter((e) => e.n != "engagement").map((e) => e.n), ["pageview", "B", "pageview"]);
    assert.deepEqual(page.errors, []);
  });

  const missing = {
    "no beacon": [() => delete Navigator.prototype.sendBeacon, true],
    "no fetch and no beacon": [() => (delete window.fetch, delete Navigator.prototype.sendBeacon), false],
    "fetch throws": [() => (window.fetch = () => { throw new Error("no"); }), false],
    "fetch is not a promise": [() => (window.fetch = () => 7), false],
    "storage is forbidden": [() => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } }), true],
    "history is frozen": [() => Object.freeze(history), true],
    "history cannot be written": [() => Object.defineProperty(history, "pushState", { value: history.pushState, writable: false }), true],
    "history is gone": [() => Object.defineProperty(window, "history", { value: undefined }), true],
    "no client hints": [() => delete Navigator.prototype.userAgentData, true],
    "client hints are refused": [() => Object.defineProperty(Navigator.prototype, "userAgentData", { get: () => ({ getHighEntropyValues: () => Promise.reject(new Error("no")) }) }), true],
    "JSON throws": [() => (JSON.stringify = () => { throw new Error("no"); }), false],
    "Object.prototype has more": [() => Object.assign(Object.prototype, { extend() {}, each: 1, q: [[1]], props: { x: 1 }, callback: "x", elements: 1, persisted: true, keys: null }), true],
    "Object.prototype has setters that throw": [() => Object.defineProperty(Object.prototype, "n", { set() { throw new Error("no"); }, get: () => "x" }), true],
    "Array.prototype has more": [() => { Array.prototype.last = function () {}; Array.prototype.toJSON = () => "x"; }, true],
    "timers throw": [() => (window.setTimeout = () => { throw new Error("no"); }), false],
    "no focus to ask for": [() => delete Document.prototype.hasFocus, false],
    "the page's own things have our names": [() => { window.footfall = 5; window.d = window.n = window.queue = "mine"; }, true],
  };
  for (const [what, [init, counts]] of Object.entries(missing)) {
    test(`${what}: nothing is thrown, and ${counts ? "the visit is counted" : "the page works"}`, async () => {
      const stand = tell("data-outbound data-downloads data-forms", {
        body: `<b id=b data-footfall-event="B" data-footfall-prop-x="1">b</b> <a id=a href="#x">a</a> <form onsubmit="return false"><button id=f>f</button></form>`,
      });
      const page = await visitor({ init });
      await page.addInitScript(() => addEventListener("unhandledrejection", (e) => (window.rejected = String(e.reason))));
      await page.goto(recorder.at(host));
      await page.click("#b");
      await page.click("#a");
      await page.click("#f");
      const pushed = await page.evaluate(() => {
        window.history?.pushState({ a: 1 }, "", "/pushed");
        if (typeof footfall == "function") footfall("x", { callback: 3, props: 4 }), footfall(), footfall(null, null), footfall({}, []);
        document.dispatchEvent(new Event("visibilitychange"));
        dispatchEvent(new Event("scroll"));
        document.dispatchEvent(new Event("click"));
        return window.history ? location.pathname : "/pushed";
      });
      await hide(page);
      if (counts) await stand.until(1);
      assert.equal(pushed, "/pushed");
      assert.deepEqual(page.errors, []);
      assert.equal(await page.evaluate(() => window.rejected), undefined);
    });
  }

  test("what pushState itself throws, the page still sees", async () => {
    const page = await visit(tell());
    assert.equal(await page.evaluate(() => { try { history.pushState(() => {}, ""); } catch (e) { return e.name; } }), "DataCloneError");
  });
});

describe("tags of others go on working", () => {
  test("Plausible's, with its options in the file's name", async () => {
    const stub = "<script>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) }; plausible('Early')</script>";
    const stand = tell('defer data-domain="site.example"', {
      file: "script.file-downloads.hash.outbound-links.js",
      head: stub,
      body: '<a id=a href="/a.zip">a</a> <a id=o href="https://other.example/">o</a><script>addEventListener("click", (e) => e.preventDefault())</script>',
    });
    const page = await visit(stand, "/#/x");
    await page.click("#a");
    await page.click("#o");
    const called = await page.evaluate(() => new Promise((callback) => plausible("Purchase", { revenue: { currency: "EUR", amount: 20 }, props: { plan: "pro" }, callback })).then(() => true));
    await settled(page);
    assert.ok(called);
    assert.deepEqual(inAnyOrder(stand.events.map((e) => [e.n, e.d, e.h, e.revenue, e.props?.plan])), inAnyOrder([
      ["pageview", "site.example", true, undefined, undefined],
      ["Early", "site.example", true, undefined, undefined],
      ["Download", "site.example", true, undefined, undefined],
      ["Outbound", "site.example", true, undefined, undefined],
      ["Purchase", "site.example", true, { currency: "EUR", amount: 20 }, "pro"],
    ]));
  });

  test("Plausible's manual and exclusions", async () => {
    const stand = tell('defer data-domain="site.example" data-exclude="/private/*"', { file: "script.exclusions.manual.js" });
    const page = await visitor();
    await page.goto(recorder.at(host, "/x"));
    await page.evaluate((u) => (plausible("pageview", { u: u + "/private/1" }), plausible("pageview", { u: u + "/public" })), recorder.at(host, ""));
    await stand.until(1);
    await settled(page);
    assert.deepEqual(paths(stand), ["/public"]);
  });

  test("a name of a host or folder is not an option", async () => {
    const stand = tell('data-domain="my-local.example"', { file: "x-manual/script.js?v=.hash" });
    await visit(stand, "/#x");
    assert.deepEqual([stand.events[0].h, paths(stand)], [false, ["/"]]);
  });

  test("phpAnalytics', with window.pa.track", async () => {
    const stand = tell('data-host="STATS" data-dnt="false" id="ZwSg9rf6GA" async defer');
    const page = await visit(stand);
    await page.waitForFunction(() => window.pa);
    await page.evaluate(() => (pa.track({ name: "Purchase", value: 99.95, unit: "USD" }), pa.track("plain"), pa.track()));
    await settled(page);
    assert.deepEqual(
      inAnyOrder(stand.events.filter((e) => e.n != "engagement").map((e) => [e.n, e.value, e.unit])),
      inAnyOrder([["pageview", undefined, undefined], ["Purchase", 99.95, "USD"], ["plain", undefined, undefined], ["pageview", undefined, undefined]]),
    );
  });

  test("without their tags the names are the page's", async () => {
    const page = await visit(tell());
    assert.deepEqual(await page.evaluate(() => [typeof window.plausible, typeof window.pa]), ["undefined", "undefined"]);
  });
});

describe("the file", () => {
  const file = (name) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");

  test("script.min.js is made of script.js: go generate ./tracker", async () => {
    assert.equal(await file("tracker/script.min.js"), await minify());
  });

  test("has at most 1.5 KB when compressed", async () => {
    assert.ok(gzipSync(await file("tracker/script.min.js"), { level: 9 }).length <= 1536);
  });

  test("the documentation has every option of the tag, and no other", async () => {
    const source = await file("tracker/script.js");
    const inSource = new Set([...source.matchAll(/options\.(\w+)|asked\("(\w+)"\)/g)].map((m) => m[1] ?? m[2]));
    const docs = await file("docs/tracker.md");
    const table = /## Options\n[^]*?(\|[^]*?)\n\n/.exec(docs)[1];
    const inDocs = [...table.matchAll(/^\| `data-([\w-]+)/gm)].map((m) => m[1]);
    assert.deepEqual([...inSource].sort(), inDocs.sort());
  });

  test("the documentation's kinds of downloads and events are those of the script", async () => {
    const source = await file("tracker/script.js");
    const docs = await file("docs/tracker.md");
    for (const name of ["Form", "Outbound", "Download"]) assert.ok(source.includes(`"${name}"`) && docs.includes(`\`${name}\``), name);
    const pattern = /"(pdf[^"]*)"/.exec(source)[1];
    const kinds = /Without a list: ([\w, ]+)\./.exec(docs)[1].split(", ");
    for (const kind of kinds) assert.match(kind, new RegExp(`^(${pattern})$`));
    assert.equal(kinds.length, 17);
  });
});
