import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { serviceWorker } from "./service-worker.ts";

/**
 * Writes a brotli and a gzip copy of each asset beside it, for the server to send as is. Fonts are already
 * compressed. Runs after the client build and again after the server build, which emits the router's manifest.
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

/** The API's address for the Vite dev server. */
const api = process.env["TINTYPE_API"] ?? "http://localhost:3000";

export default defineConfig({
  // The package's own entry resolves to its build output.
  resolve: { alias: { "@tintype/client/core": join(import.meta.dirname, "../client/src/core.ts") } },
  server: { proxy: { "/api": api, "/idp": api } },
  // Prerendering requests pages from a preview server, and /api/docs is one of them.
  preview: { proxy: {} },
  plugins: [tailwindcss(), reactRouter(), serviceWorker, compressAssets],
  build: {
    // An image or font inlined in a style sheet is loaded even by pages that never show it.
    assetsInlineLimit: 0,
    // From these versions on, light-dark() is native. Transpiled for older ones it is resolved at the root, and the plate stays paper.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    // The router preloads what a page needs. Preload lists for the rest would cost more in the first load than they save later.
    modulePreload: false,
    // What every page loads and what stays the same between our builds.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "framework", test: /node_modules\/(react|react-dom|react-router|scheduler)\// },
            // Small modules of every page: each file of its own would cost more than it has.
            { name: "base", test: /\/app\/(lib\/(brand|join-classes|plan-fact|site\/paths)|ui\/wordmark)[.]tsx?$/ },
          ],
        },
      },
    },
  },
});
