import { defineConfig } from "tsdown";
import { toolBuild } from "../toolkit/bundle.mjs";

const entry = Object.fromEntries(
  ["index", "vite", "rollup", "webpack", "astro"].map((name) => [name, `src/${name}.ts`]),
);

export default defineConfig(toolBuild({ configUrl: import.meta.url, entry, typed: entry }));
