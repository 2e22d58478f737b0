import { defineConfig } from "vitest/config";

// FOOTFALL is the service that `npm run dev` asks; the built app asks the one that serves it.
const service = process.env.FOOTFALL ?? "http://127.0.0.1:8080";

export default defineConfig({
  build: {
    target: ["chrome123", "edge123", "firefox121", "safari17.5"],
    emptyOutDir: false, // dist keeps a committed file, so that Go always finds the folder; tools/compress.mjs drops what is old
    manifest: "manifest.json",
    assetsInlineLimit: 0, // the policy allows no inline anything
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { "/api": service } },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"] },
});
