// What the dashboard may weigh, and what may not be in it. Reads web/dist: build first.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const read = (name: string) => readFileSync(new URL("../dist/" + name, import.meta.url));
const size = (name: string) => gzipSync(read(name), { level: 9 }).length;
const manifest: Record<string, Chunk> = JSON.parse(read("manifest.json").toString());
const entry = Object.keys(manifest).find((k) => manifest[k]!.isEntry)!;
const files = readdirSync(new URL("../dist/assets", import.meta.url)).filter((f) => !/\.(gz|br)$/.test(f));

// The entry and all that it needs before anything is drawn.
function needed(key: string, seen = new Set<string>()): Set<string> {
  const c = manifest[key]!;
  if (seen.has(c.file)) return seen;
  seen.add(c.file);
  c.imports?.forEach((i) => needed(i, seen));
  return seen;
}

describe("the built dashboard", () => {
  test("has at most 90 KB of JavaScript, gzipped, for the dashboard page", () => {
    const total = [...needed(entry)].reduce((n, f) => n + size(f), 0);
    console.log(`JavaScript of the dashboard page: ${total} bytes gzipped`);
    expect(total).toBeLessThanOrEqual(90_000);
  });

  test("has at most 15 KB of CSS, gzipped, in all", () => {
    const total = files.filter((f) => f.endsWith(".css")).reduce((n, f) => n + size("assets/" + f), 0);
    console.log(`CSS: ${total} bytes gzipped`);
    expect(total).toBeLessThanOrEqual(15_000);
  });

  test("loads the map and German only when they are needed", () => {
    const first = [...needed(entry)].map((f) => read(f).toString()).join("");
    expect(first).not.toContain("Seitenaufrufe");
    const map = Object.keys(manifest).find((k) => k.endsWith("world.json"))!;
    expect(needed(entry)).not.toContain(manifest[map]!.file);
    expect(size(manifest[map]!.file)).toBeLessThanOrEqual(45_000);
  });

  test("holds nothing inline, which the policy would forbid", () => {
    const html = read("index.html").toString();
    expect(html).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|javascript:/i);
  });

  test("asks nobody but the service", () => {
    for (const f of files) {
      const addresses = read("assets/" + f).toString().match(/https?:\/\/[\w.-]+/g) ?? [];
      const known = ["http://www.w3.org", "https://example.com", "https://db-ip.com"]; // names, examples, and a link that people may click
      expect(addresses.filter((a) => !known.includes(a)), f).toEqual([]);
    }
    expect(read("index.html").toString()).not.toMatch(/https?:/);
  });

  test("has each asset also compressed", () => {
    const all = readdirSync(new URL("../dist/assets", import.meta.url));
    for (const f of files) expect(all).toEqual(expect.arrayContaining([f + ".gz", f + ".br"]));
  });
});
