// The script that counts visits. A page includes it with one tag; docs/tracker.md has every option.
//
// What holds everywhere below:
//
//   - Nothing throws into the page: all that the page or the browser calls goes through quiet.
//   - Nothing is stored, but for the visitor's own wish not to be counted. Nothing is loaded. One address is written to.
//   - It must stay below 1.5 KB when compressed, which a test checks. So words that the compressor has seen are preferred
//     to new ones, what two mechanisms could do is done by one, and what the service can tell by itself is not sent: the
//     language and the brand of the browser come with every request, and the service is lenient about numbers.
try {
  const d = document;
  const n = navigator;
  const quiet = (f) => (...args) => {
    try {
      return f(...args);
    } catch {}
  };
  // The window sees events on their way down, so also those that do not bubble and those that a page stops.
  const on = (types, f) => types.split(" ").map((type) => addEventListener(type, quiet(f), 1));

  // The tag has the options. A second copy of this script finds none and ends at the first question: it would count all twice.
  const { dataset: options, src } = d.footfall || d.currentScript;
  d.footfall = 1;
  // Plausible names options in the file: script.outbound-links.hash.js.
  const asked = (name) => name in options || src.match("[.-]" + name + "[^/]*\\.js");
  const hash = asked("hash");
  // A list is of paths, where * is anything.
  const matches = (list, url) => url.match("//[^/]*(" + list.replace(/\*/g, ".*").replace(/, */g, "|") + ")([?#]|$)");

  // What is to be sent waits here: for the hints, for its next try, and for company. At most ten wait for another try.
  const queue = [];
  let hints;
  let wait = 0;
  // Only fetch tells what the service answered, and with keepalive it outlives the page as a beacon does. No answer, 429
  // and 5xx: again later. The id says that it is the same event, the age when it was.
  const flush = () =>
    queue.splice(0).map(
      quiet((e) => {
        const again = () => queue[9] || setTimeout(flush, (wait += 5e3), queue.push(e));
        const url = options.api || new URL("/api/event", options.host || src);
        const body = JSON.stringify({ ...e, a: Date.now() - e.a, ch: hints });
        self.fetch ? fetch(url, { method: "POST", body, keepalive: 1 }).then((r) => r.status > 428 && again(), again) : n.sendBeacon(url, body);
      }),
    );

  let page; // what is looked at: its address, and when that began
  let path; // what tells one page from the next
  let since = 0; // when it was last seen to be visible and in focus, if it is
  let engaged = 0; // milliseconds of that, not sent yet
  let lowest = 0; // pixel of the page that was on the screen
  const look = (leaving) => {
    engaged += since && Date.now() - since;
    since = d.hasFocus() && !d.hidden && Date.now();
    lowest = Math.max(scrollY + innerHeight, lowest);
    if (leaving) {
      // It is of the time of its pageview: a tab that is left open makes no visit of its own hours later, nor a visitor of tomorrow.
      if (engaged) track("engagement", { u: page?.u, sd: (100 * lowest) / d.documentElement.scrollHeight, a: page?.a, e: engaged });
      engaged = 0;
      flush();
    }
  };

  const ignored = quiet(() => localStorage.footfall.match("ig"));

  // track is window.footfall. The options of an event go as they are, under the long names of the interface; JSON leaves out
  // the callback, which is called in any case: pages wait for it before they move on.
  const track = quiet((name = "pageview", o) => {
    if (d.prerendering) return on("prerenderingchange", () => track(name, o));
    o = { u: hash ? location.href : location.href.split("#")[0], a: Date.now(), ...o };
    setTimeout(quiet(o.callback), 99);
    if (name == "pageview") {
      look(1);
      lowest = 0;
      page = o;
    }
    if (
      (asked("local") || !(n.webdriver || n.userAgent.match("Headless") || location.hostname.match("^127\\.|^[^.]*$|localhost$"))) &&
      !(options.dnt == "true" && (n.globalPrivacyControl || n.doNotTrack == 1)) &&
      !ignored() &&
      matches(options.include || "*", o.u) &&
      !matches(options.exclude || "-", o.u)
    ) {
      queue.push({
        ...o,
        n: name,
        d: options.domain,
        wd: n.webdriver,
        h: !!hash,
        r: d.referrer,
        t: n.maxTouchPoints,
        s: screen.width + "x" + screen.height,
        i: Math.random(),
      });
      setTimeout(flush, 99);
    }
  });

  // The visitor's wish. It is said once, so it leaves the address; the page that is open is nobody's any more, as alert
  // returns nothing.
  const moved = quiet((e) => {
    if (location.hash.match("^#footfall-(ignore|count)$")) page = alert((localStorage.footfall = location.hash), (location.hash = ""));
    if (!asked("manual") && (path != (path = hash ? location.href : location.pathname) || e?.persisted)) track();
  });

  moved();
  on("popstate pageshow", moved);
  on("scroll focus blur visibilitychange", () => look(d.hidden));
  on("click auxclick submit", (e) => {
    const submit = e.type == "submit";
    const element = e.target.closest("[data-footfall-event]");
    const link = e.target.closest("a");
    if (e.button > 1) return; // the right one opens a menu
    // Only a form has elements; a click in it is not its submission.
    if (element && !element.elements != submit) {
      const o = { props: {} };
      for (const { name, value } of element.attributes)
        name.replace(/^data-footfall-(prop-)?(.+)/, (_, prop, key) => ((prop ? o.props : o)[key] = value));
      track(o.event, o);
    } else {
      const name = submit
        ? asked("forms") && "Form"
        : asked("outbound") && !location.host.endsWith(link.host) // neither does a link to mail or a phone have a host
          ? "Outbound"
          : asked("downloads") &&
            matches("*\\.(" + (options.downloads || "pdf|(doc|xls|ppt)x?|csv|zip|gz|7z|rar|exe|dmg|pkg|mp[34]") + ")", link.href) &&
            "Download";
      if (name) track(name, { props: { url: link?.href.split(/[?#]/)[0] } });
    }
  });
  if (asked("404")) track("404");

  // Who called before we came was queued by a stub. Old tags go on working: Plausible's has a domain, phpAnalytics' a host.
  ["footfall", options.domain && "plausible"].map((name) => {
    const early = self[name]?.q;
    self[name] = track;
    early?.map((args) => track(...args));
  });
  if (options.host) self.pa = { track: (o) => track(o?.name || o, o) };

  ["pushState", "replaceState"].map((method) => {
    const original = history[method];
    history[method] = (...args) => {
      original.apply(history, args);
      moved();
    };
  });
  // Only some browsers have hints, so this is last. A refusal is taken, too.
  n.userAgentData.getHighEntropyValues(["platformVersion", "model"]).then((h) => (hints = { m: h.model, pv: h.platformVersion }), quiet);
} catch {}
