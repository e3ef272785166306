// For the image: removes from node_modules what a production server never loads. Run after an install without dev dependencies, on Node 22 or newer.
// `npm run check:containers` starts the image afterwards, which shows that nothing needed is gone.
import { existsSync, globSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./install.mjs";

const modules = join(root, "node_modules");
/** Peers of better-auth and drizzle-orm that only their command-line tools use, and what the web app was built from. */
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

// onnxruntime-node carries the binaries of every platform.
for (const binaries of globSync("onnxruntime-node/bin/napi-v*", { cwd: modules })) {
  const platforms = join(modules, binaries);
  for (const platform of readdirSync(platforms))
    if (platform !== process.platform) rmSync(join(platforms, platform), { recursive: true });
  for (const architecture of readdirSync(join(platforms, process.platform)))
    if (architecture !== process.arch) rmSync(join(platforms, process.platform, architecture), { recursive: true });
}

// A package's own documentation and type declarations are read by people and compilers, not by the server.
for (const file of globSync("**/*.{md,markdown,map,d.ts,d.mts,d.cts}", { cwd: modules }))
  if (existsSync(join(modules, file)) && !/licen[cs]e|notice/i.test(file)) rmSync(join(modules, file), { force: true });
// Tests stand beside the source.
for (const file of globSync("packages/**/*.{test.ts,test.tsx}", {
  cwd: root,
  exclude: (name) => name === "node_modules",
}))
  rmSync(join(root, file));
