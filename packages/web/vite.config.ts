import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { serviceWorker } from "./service-worker.ts";

/**
 * Writes each asset in brotli and gzip beside itself, for the server to send as they are. Fonts are compressed already.
 * Once after the browser's part and once after the server's, with which the router's manifest comes.
 */
const compressAssets: Plugin = {
  name: "compress-assets",
  apply: "build",
  writeBundle({ dir = "" }) {
    const client = join(dir, "../client");
    for (const file of globSync("**/*.{js,css,svg}", { cwd: client })) {
      if (existsSync(join(client, `${file}.gz`))) continue;
      const bytes = readFileSync(join(client, file));
      writeFileSync(join(client, `${file}.br`), brotliCompressSync(bytes));
      writeFileSync(join(client, `${file}.gz`), gzipSync(bytes, { level: 9 }));
    }
  },
};

/** The address of the API while Vite serves the site, for work on the code. */
const api = process.env["TINTYPE_API"] ?? "http://localhost:3000";

export default defineConfig({
  // The package itself leads to what is built of it.
  resolve: { alias: { "@tintype/client/core": join(import.meta.dirname, "../client/src/core.ts") } },
  server: { proxy: { "/api": api, "/idp": api } },
  // Pages are written by asking a preview server for them, and /api/docs is one of them.
  preview: { proxy: {} },
  plugins: [tailwindcss(), reactRouter(), serviceWorker, compressAssets],
  build: {
    // A picture or a font inside a style sheet is loaded by every page that never shows it.
    assetsInlineLimit: 0,
    // From these on light-dark() is native; translated for older ones it is fixed at the root, and the plate stays paper.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // The router preloads what a page needs; lists of the rest would weigh more in the first load than they save later.
    modulePreload: false,
    // What every page loads and another build of ours leaves as it is.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// }],
        },
      },
    },
  },
});
