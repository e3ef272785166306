// The studio with two hundred photographs of 2 to 12 MP in a browser: smoothness, long tasks and memory of its tab.
// On the built site. npm run build && npm run bench:studio [packs]
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { startSite } from "../scripts/running-site.mjs";
import { dataPacks } from "./packs.ts";
import { watchTab } from "./studio/tab.ts";

const count = 200;
const megapixels = [2, 3, 8, 12];
const sources = [
  "camera_iphone4s_8mp_rot6.jpg",
  "camera_nikon_e990_3mp.jpg",
  "camera_oppo_r7_13mp.jpg",
  "clic_11f2_portrait.png",
  "kodak_23_parrots.png",
];
const scrollMs = 5_000;
const restMs = 2_000;

const ms = (value: number) => `${value.toFixed(1)} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const p95 = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
const mapped = <Value>(rows: Record<string, Value>, cells: (value: Value) => readonly string[]) =>
  Object.fromEntries(Object.entries(rows).map(([name, value]) => [name, cells(value)]));

const packs = await dataPacks(process.argv[2]);
const room = await mkdtemp(join(tmpdir(), "tintype-bench-studio-"));
const plans = join(room, "brand.yaml");
// A higher plan may not have less.
const allowance = `{ credits: 3000, files_per_batch: ${count} }`;
await writeFile(plans, `plans: { hobby: ${allowance}, mini: ${allowance}, plus: ${allowance}, pro: ${allowance} }\n`);
const files = await photographs();
const site = await startSite(undefined, { TINTYPE_BRAND_FILE: plans });
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
});
try {
  await measure(browser);
} finally {
  await browser.close();
  await site.stop();
  await rm(room, { recursive: true });
}

/** All files have different bytes: what follows the end of a JPEG is ignored. */
async function photographs(): Promise<string[]> {
  const kinds = sources.flatMap((source) => megapixels.map((size) => ({ source, size })));
  const drawn: Buffer[] = [];
  for (const { source, size } of kinds) {
    const image = sharp(
      await sharp(join(packs, "photos", source))
        .rotate()
        .toBuffer(),
    );
    const { width, height } = await image.metadata();
    const scale = Math.sqrt((size * 1e6) / (width * height));
    drawn.push(
      await image
        .resize(Math.round(width * scale))
        .jpeg({ quality: 90 })
        .toBuffer(),
    );
  }
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const path = join(room, `photo-${index}.jpg`);
      await writeFile(path, Buffer.concat([drawn[index % drawn.length] ?? Buffer.of(), Buffer.of(index)]));
      return path;
    }),
  );
}

async function measure(browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const data = { name: "Bench", email: "bench@example.com", password: "correct horse 1" };
  await page.request.post(`${site.origin}/idp/sign-up/email`, { data, headers: { origin: site.origin } });
  await page.addInitScript(() => localStorage.setItem("tintype.session", "somebody"));
  await page.goto(site.origin, { waitUntil: "networkidle" });
  const tab = await watchTab(browser, page);
  const rest = async (name: string) => {
    await page.waitForTimeout(restMs);
    tab.noteMemory(name);
  };

  await rest("page without pictures");
  const scrolled = { "page without pictures": await tab.trace(() => scroll(page, "body")) };
  await page.evaluate(() => window.scrollTo(0, 0));

  const chosen = await tab.trace(async () => {
    await page.locator("input[type=file]").first().setInputFiles(files);
    await page.waitForFunction((all) => document.querySelectorAll("ul[aria-label=Images] img").length === all, count, {
      timeout: 300_000,
    });
  });
  await rest("200 chosen");
  await page.getByRole("button", { name: "Grid" }).click();
  await page.waitForTimeout(restMs);
  const grid = await tab.trace(() => scroll(page, "[role=listbox]"));
  await rest("their grid scrolled");
  await page.getByRole("button", { name: "Grid" }).click();
  await page.getByRole("button", { name: "Balanced" }).click();
  await page.waitForTimeout(restMs);

  const submitted = await tab.trace(async () => {
    await page.getByRole("button", { name: /^Submit/ }).click();
    await page.getByText(/^Uploading · /).waitFor({ timeout: 120_000 });
  });
  const uploaded = await tab.trace(async () => {
    await page.waitForFunction(() => /\b[1-9]\d* of \d+ done/.test(document.body.innerText), undefined, {
      timeout: 600_000,
    });
  });
  await rest("uploaded");
  const working = await tab.trace(() => scroll(page, "[aria-label=Results]"));
  await page.getByRole("button", { name: /^Download all/ }).waitFor({ timeout: 1_200_000 });
  await rest("all done");
  const done = await tab.trace(() => scroll(page, "[aria-label=Results]"));
  await rest("their list scrolled");
  tab.stop();

  table("scrolled by the wheel", ["p95 of frames", "p95 of main thread in a frame"], {
    ...mapped(
      { ...scrolled, "grid of 200": grid, "list, server at work": working, "list of 200 results": done },
      ({ frames }) => [ms(p95(frames.map(({ wallMs }) => wallMs))), ms(p95(frames.map(({ cpuMs }) => cpuMs)))],
    ),
  });
  table("longest task of the main thread", ["wall clock", "processor time"], {
    ...mapped(
      { "choosing and drawing": chosen, "Submit to first progress": submitted, "then to first result": uploaded },
      ({ tasks }) => [
        ms(Math.max(...tasks.map(({ wallMs }) => wallMs))),
        ms(Math.max(...tasks.map(({ cpuMs }) => cpuMs))),
      ],
    ),
  });
  table("memory of the tab's process", ["RSS", "highest RSS so far", "PSS"], {
    ...mapped(tab.memory, ({ rss, peak, pss }) => [mb(rss), mb(peak), mb(pss)]),
  });
}

/** Scrolls up and down over the element, one wheel notch per frame. */
async function scroll(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first();
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error(`${selector} is not shown`);
  await page.mouse.move(box.x + box.width / 2, Math.min(800, Math.max(100, box.y) + 200));
  await page.evaluate((forMs) => {
    const begun = performance.now();
    const next = () => {
      performance.mark("frame");
      if (performance.now() - begun < forMs) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  }, scrollMs);
  const endsAt = Date.now() + scrollMs;
  while (Date.now() < endsAt) {
    await page.mouse.wheel(0, endsAt - Date.now() > scrollMs / 2 ? 120 : -120);
    await page.waitForTimeout(8);
  }
}

function table(title: string, columns: readonly string[], rows: Record<string, readonly string[]>): void {
  const line = (name: string, cells: readonly string[]) =>
    console.log(
      name.padEnd(32),
      ...cells.map((cell, index) => cell.padStart(Math.max(12, columns[index]?.length ?? 0) + 2)),
    );
  console.log();
  line(title, columns);
  for (const [name, cells] of Object.entries(rows)) line(name, cells);
}
