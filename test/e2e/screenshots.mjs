// The pictures in docs/, from the demo with traffic until a fixed day: `make screenshots`. Only what changes with the clock
// is put in its place, so that the same program makes the same pictures.
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch } from "./support/browser.mjs";
import { settled } from "./support/people.mjs";
import { startDemo } from "./support/service.mjs";

const until = "2026-06-30";
const month = "from=2026-06-01&to=2026-06-30";
const maxBytes = 250 * 1000;
const wide = { width: 1440, height: 1266 }; // down to the end of a row of panels
const phone = { width: 390, height: 844 };

const home = "http://stats.example.com";
const service = await startDemo("--until", until);
const site = "/" + service.websites[0].domain;
const pictures = {
  dashboard: { path: `${site}?${month}`, size: wide },
  "dashboard-dark": { path: `${site}?${month}`, size: wide, colour: "dark" },
  "dashboard-phone": { path: `${site}?${month}`, size: phone },
  websites: { path: "/", size: { width: 1440, height: 350 } },
  settings: { path: site + "/settings", size: { width: 1440, height: 664 } },
};

// Without the flag single pixels differ from time to time.
const browser = await launch({ args: ["--disable-partial-raster", `--host-resolver-rules=MAP stats.example.com 127.0.0.1:${service.port}`] });
try {
  for (const [name, picture] of Object.entries(pictures)) await take(name, picture);
} finally {
  await browser.close();
  await service.stop();
}

async function take(name, { path, size, colour = "light" }) {
  const page = await browser.newPage({ viewport: size, colorScheme: colour, locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" });
  await page.goto(home + "/sign-in");
  await page.evaluate(({ email, password }) => fetch("/api/v1/session", { method: "POST", body: new URLSearchParams({ email, password }) }), { email: service.email, password: service.password });
  await stopTheClock(page);
  await page.goto(home + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector(".map svg") || !document.querySelector(".map"));
  await settled(page);
  const file = fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url));
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  const { size: bytes } = await stat(file);
  console.log(`docs/${name}.png ${(bytes / 1000).toFixed(0)} KB`);
  if (bytes > maxBytes) throw new Error(`docs/${name}.png has ${bytes} bytes, and may have ${maxBytes}`);
  await page.close();
}

// stopTheClock makes it the morning after: for the page, and in what the service says about now.
async function stopTheClock(page) {
  await page.clock.setFixedTime(new Date("2026-07-01T08:00:00Z"));
  await page.route("**/realtime", async (route) => {
    const answer = await service.ask(new URL(route.request().url()).pathname);
    const pages = [["/", 9], ["/pricing", 6], ["/docs", 4], ["/features", 2], ["/signup", 2]];
    await route.fulfill({ json: { data: { ...answer.data, visitors: 23, pages: pages.map(([value, visitors]) => ({ value, visitors })) } } });
  });
  await page.route("**/overview", async (route) => {
    const { ids } = route.request().postDataJSON();
    await route.fulfill({ json: { data: await Promise.all(ids.map(month30)) } });
  });
}

// month30 is what an overview would have said on the last day.
async function month30(id) {
  const days = async (from, to) => {
    const body = { website_id: id, period: { from, to }, questions: [{ dimension: "day", metrics: ["visitors"] }] };
    const { data } = await service.ask("/api/v1/query", { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
    return data.answers[0].rows.map((r) => r.visitors ?? 0);
  };
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const series = await days("2026-06-01", until);
  return { id, today: series.at(-1), yesterday: series.at(-2), visitors: sum(series), previous: sum(await days("2026-05-02", "2026-05-31")), series };
}
