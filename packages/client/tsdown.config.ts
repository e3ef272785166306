import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/node.ts", "src/core.ts"],
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: false,
  dts: true,
  deps: { neverBundle: /^node:/ },
  minify: { compress: true, mangle: false, codegen: false },
  // Editors read comments from the type declarations; browsers need not load them.
  outputOptions: { comments: false },
});
