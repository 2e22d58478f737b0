// axe-core, for what keeps somebody from using a page.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// serious are the violations on a page that are serious or critical, with where they are. Rules whose violations never are do
// not run.
export async function serious(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { axe } = window;
    const grave = ({ impact }) => impact == "serious" || impact == "critical";
    const others = axe._audit.rules.filter((rule) => rule.impact && !grave(rule)).map((rule) => [rule.id, { enabled: false }]);
    const { violations } = await axe.run(document, { resultTypes: ["violations"], rules: Object.fromEntries(others) });
    return violations.filter(grave).map((v) => ({ id: v.id, nodes: v.nodes.slice(0, 4).map((n) => `${n.target}: ${n.failureSummary}`.replaceAll("\n", " ")) }));
  });
  return found.map((v) => `${v.id} – ${v.nodes.join(" | ")}`);
}
