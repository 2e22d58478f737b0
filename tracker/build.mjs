// Makes script.min.js, which is what the service sends, from script.js, which is what people read.
//
//	node build.mjs           writes it
//	import { minify } …      for the test that holds the two together
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { minify as terser } from "terser";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

// minify is the source as it is sent. The same source always gives the same bytes.
export async function minify() {
  // One word for all variables compresses better, and lets them share one declaration.
  const source = (await readFile(here("script.js"), "utf8")).replace(/\bconst\b/g, "let");
  const { code } = await terser(source, {
    ecma: 2020,
    compress: { passes: 4, unsafe_arrows: true, unsafe_methods: true, keep_fargs: false },
    mangle: true,
    format: { comments: false },
  });
  return code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(here("script.min.js"), await minify());
}
