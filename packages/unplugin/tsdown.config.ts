import { defineConfig } from "tsdown";
import { toolBuild } from "../toolkit/bundle.mjs";

const entry = Object.fromEntries(
  ["index", "vite", "rollup", "webpack", "astro"].map((name) => [name, `src/${name}.ts`]),
);
// Pages import only this type, without those of the bundlers.
const typed = { ...entry, "imported-set": "src/imported-set.ts" };
const [code, types] = toolBuild({ configUrl: import.meta.url, entry, typed, hasModels: false });

export default defineConfig([code, { ...types, copy: ["src/client.d.ts"] }]);
