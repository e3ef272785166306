import type { Config } from "@react-router/dev/config";
import { publicPaths } from "./app/lib/site/pages.ts";

/** For programs; written at build time like the pages. */
const texts = ["/sitemap.xml", "/feed.xml", "/robots.txt", "/llms.txt"];

/** The pages for unknown addresses: everywhere, and under `/blog`. */
const missing = ["/404", "/blog/404"];

/** Every public page is written at build time. */
export default { ssr: false, prerender: [...publicPaths, ...texts, ...missing] } satisfies Config;
