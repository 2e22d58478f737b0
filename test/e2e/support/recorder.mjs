// A stand-in for the service that gives out the tracker and writes down what arrives, beside the pages of a test.
import { once, EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";
import { serve } from "./site.mjs";

const script = await readFile(new URL("../../../tracker/script.min.js", import.meta.url), "utf8");

// record serves pages under any name, and the tracker under names that begin with "stats". Each such name has a record of
// its own, so that what a page sends while it closes does not disturb the next test.
export async function record() {
  const stands = new Map();
  const site = await serve((request) => {
    const host = request.url.hostname;
    for (const stand of stands.values()) {
      if (stand.host == host) return stand.answer(request);
    }
    for (const stand of stands.values()) {
      if (stand.pages[host]) return stand.pages[host](request);
    }
  });
  let count = 0;
  return {
    ...site,
    // stand is a fresh record. pages are functions by host name, as serve takes them.
    stand(pages) {
      const stand = new Stand(`stats-${++count}.example`, pages);
      stands.set(stand.host, stand);
      stand.url = site.at(stand.host, "");
      return stand;
    },
    remove: (stand) => stands.delete(stand.host),
  };
}

class Stand extends EventEmitter {
  requests = []; // all that arrived, whatever it was
  events = [];
  status = () => 202; // of the next answer; null is none at all

  constructor(host, pages) {
    super();
    this.host = host;
    this.pages = pages;
  }

  answer(request) {
    this.requests.push(request);
    const headers = { "Access-Control-Allow-Origin": "*" };
    if (request.url.pathname.startsWith("/js/")) return { type: "text/javascript", headers, body: script };
    if (request.method != "POST") return { status: 204, headers };
    const event = JSON.parse(request.body);
    const status = this.status(event, this.events.length);
    this.events.push(event);
    this.emit("event");
    return { status, headers };
  }

  // until waits for that many events, of any name or of one.
  async until(number, name) {
    const wanted = () => (name ? this.events.filter((e) => e.n == name) : this.events);
    while (wanted().length < number) await once(this, "event", { signal: AbortSignal.timeout(10_000) });
    return this.events;
  }
}
