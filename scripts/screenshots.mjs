// npm run screenshots [-- --base=http://localhost:3000 --only=faqs --out=FOLDER --widths=390,1440
// --lights=light,dark]: captures every page and state of the built site (`npm run build` first), for visual review.
// They are not kept in the repository.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startSite } from "./running-site.mjs";
import { guestStates } from "./screenshots/guest-states.mjs";
import { scrollThrough } from "./screenshots/page-steps.mjs";
import { personStates, signUp } from "./screenshots/person-states.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    base: { type: "string" },
    only: { type: "string" },
    widths: { type: "string", default: "390,1440" },
    lights: { type: "string", default: "light,dark" },
    out: { type: "string", default: join(root, "test-results/screenshots") },
  },
});
const widths = values.widths.split(",").map(Number);
const lights = values.lights.split(",");
const heights = { 390: 844, 820: 1180, 1440: 900 };

const { origin, data, stop } = await startSite(values.base, {
  // Webhooks and URL input appear only if they are enabled.
  TINTYPE_URL_INPUT: "on",
  // Each state uses its own client address: see `show`.
  TINTYPE_TRUSTED_PROXIES: "127.0.0.1,::1",
});
mkdirSync(values.out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const listed = [...sitemap.matchAll(/<loc>[^<]*?:\/\/[^/]+([^<]*)<\/loc>/g)].map(([, path]) => path || "/");
  const pages = [...listed, "/nothing-here", "/blog/nothing-here"].map((path) => ({
    name: nameOf(path),
    path,
    isWhole: true,
  }));
  const all = [...pages, ...guestStates, ...personStates(data)];
  const states = all.filter(({ name }) => !values.only || values.only.split(",").includes(name));
  for (const state of states)
    for (const width of widths)
      for (const colorScheme of lights) await show(state, { width, colorScheme, place: all.indexOf(state) });
  console.log(
    `${values.out}: ${states.length} pages and states, ${states.length * widths.length * lights.length} pictures`,
  );
} finally {
  await browser.close();
  await stop();
}

async function show({ name, path, prepare, isPerson, isWhole }, { width, colorScheme, place }) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width, height: heights[width] },
    colorScheme,
    reducedMotion: "reduce",
    // Each state has its own client address, so that none uses up another's guest credits.
    extraHTTPHeaders: { "x-forwarded-for": `2001:db8:${place}:${width}::1` },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  if (isPerson) await signUp(page, origin);
  await page.goto(path, { waitUntil: "networkidle" });
  // A state that cannot be reached must not prevent the others.
  await prepare?.(page).catch((problem) => {
    console.error(`${name}, ${width} px, ${colorScheme}: ${problem.message.split("\n")[0]}`);
    process.exitCode = 1;
  });
  if (isWhole) await scrollThrough(page);
  await page.screenshot({ path: join(values.out, `${name}-${width}-${colorScheme}.png`), fullPage: isWhole ?? false });
  await context.close();
}

function nameOf(path) {
  return path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
}
