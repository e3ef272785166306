import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "@react-router/dev/config";
import { publicPaths } from "./app/lib/site/pages.ts";

/** For programs; prerendered like the pages. */
const texts = ["/sitemap.xml", "/feed.xml", "/robots.txt", "/llms.txt"];

/** For people who have a link. Not in the sitemap. */
const unlisted = ["/recipe"];

/** The pages for unknown paths: site-wide, and under `/blog`. */
const missing = ["/404", "/blog/404"];

/**
 * The page is readable without its scripts, so style sheet, fonts and first picture load before them. The router's
 * `<Scripts>` has no option for the fetch priority of the modules it preloads.
 */
function loadScriptsLast(folder: string) {
  for (const page of globSync("**/*.html", { cwd: folder })) {
    const html = readFileSync(join(folder, page), "utf8");
    writeFileSync(
      join(folder, page),
      html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"'),
    );
  }
}

/** Every public page is prerendered. */
const config: Config = {
  ssr: false,
  prerender: [...publicPaths, ...unlisted, ...texts, ...missing],
  buildEnd: ({ reactRouterConfig }) => loadScriptsLast(join(reactRouterConfig.buildDirectory, "client")),
};
export default config;
