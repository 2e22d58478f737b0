// The picture of a report in docs/, on a wide light screen and on a narrow dark one: part of `make screenshots`. A report is on the
// week before today, and so is its picture: it has other numbers every week.
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch } from "./support/browser.mjs";
import { startDemo } from "./support/service.mjs";

const height = 1180;
const maxBytes = 250 * 1000;
const file = fileURLToPath(new URL("../../docs/report.png", import.meta.url));

const service = await startDemo();
const browser = await launch();
try {
  const shots = [await shot(600, "light"), await shot(360, "dark")];
  const page = await browser.newPage({ viewport: { width: 1040, height: height + 56 } });
  await page.setContent(`<body style="margin:0;padding:28px;background:#ecebe5;display:flex;gap:24px">` +
    shots.map((png) => `<img src="data:image/png;base64,${png}" style="border-radius:14px;box-shadow:0 1px 6px #0003">`).join(""));
  await page.screenshot({ path: file });
} finally {
  await browser.close();
  await service.stop();
}
const { size } = await stat(file);
console.log(`docs/report.png ${(size / 1000).toFixed(0)} KB`);
if (size > maxBytes) throw new Error(`docs/report.png has ${size} bytes, and may have ${maxBytes}`);

// shot is the report as it is sent: without the line that says it is a preview.
async function shot(width, colorScheme) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  const answer = await fetch(`${service.url}/api/v1/websites/${service.websites[0].id}/report?period=week`, { headers: { Authorization: `Bearer ${service.key}` } });
  await page.setContent(await answer.text());
  await page.evaluate(() => document.querySelector(".note").closest("tr").remove());
  return (await page.screenshot()).toString("base64");
}
