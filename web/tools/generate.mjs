// Makes what is made from other files: the types of the interface, and the map. Neither is committed.
// A file is made only if it is older than what it comes from.
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const document = join(web, "../api/openapi.yaml");
const types = join(web, "src/api/schema.d.ts");
const map = join(web, "src/generated/world.json");

await make(types, [document], async () => {
  const { default: openapi, astToString } = await import("openapi-typescript");
  return astToString(await openapi(pathToFileURL(document)));
});
await make(map, [join(web, "tools/world.mjs")], async () => {
  const { world } = await import("./world.mjs");
  return JSON.stringify(world());
});

async function make(file, from, content) {
  const changed = Math.max(...from.map((f) => statSync(f).mtimeMs));
  if (existsSync(file) && statSync(file).mtimeMs > changed) return;
  const made = await content();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, made);
  console.log(`made ${file.slice(web.length + 1)}`);
}
