import { defineConfig } from "tsdown";
import { toolBuild } from "../toolkit/bundle.mjs";

export default defineConfig(
  toolBuild({
    configUrl: import.meta.url,
    entry: { tintype: "src/tintype.ts", index: "src/index.ts" },
    typed: { index: "src/index.ts" },
  }),
);
