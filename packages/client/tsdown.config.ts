import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/node.ts", "src/core.ts"],
  platform: "neutral",
  target: "es2022",
  fixedExtension: false,
  dts: true,
  deps: { neverBundle: /^node:/ },
  // Editors read comments from the type declarations; browsers need not load them.
  outputOptions: { comments: false },
});
