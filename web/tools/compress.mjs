// Compresses the built files beside themselves, and drops those of earlier builds.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const manifest = JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8"));
const live = new Set(Object.values(manifest).flatMap((m) => [m.file, ...(m.css ?? []), ...(m.assets ?? [])]));

for (const name of readdirSync(join(dist, "assets"))) {
  if (!live.has(`assets/${name}`)) rmSync(join(dist, "assets", name));
}
for (const name of live) {
  const file = join(dist, name);
  const content = readFileSync(file);
  writeFileSync(file + ".gz", gzipSync(content, { level: 9 }));
  writeFileSync(file + ".br", brotliCompressSync(content));
}
