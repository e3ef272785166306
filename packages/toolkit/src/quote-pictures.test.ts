import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bmpFile } from "../../codecs/src/testing/bmp-file.ts";
import { pdfFile } from "../../imaging/src/testing/pdf-file.ts";
import type { FileFacts } from "./backend.ts";
import { cacheKey } from "./cache.ts";
import { digest } from "./digest.ts";
import { findPictures, openCache, openNetworks, openOffline, quotePictures, readStep } from "./index.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-quote-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
const path = join(room, "document.pdf");
writeFileSync(path, pdfFile({ pages: [{ box: [0, 0, 40, 20] }, { box: [0, 0, 30, 60] }] }));

async function quote(page: number) {
  const offline = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
  const seen: FileFacts[] = [];
  const backend: typeof offline = {
    ...offline,
    quote: (work, files) => {
      seen.push(...files);
      return offline.quote(work, files);
    },
  };
  const cache = openCache(join(room, "cache"));
  const work = {
    steps: [readStep("convert", { target_format: "png" }), readStep("resize", { width: 10, page })],
  } as const;
  const { refusals } = await quotePictures(await findPictures([path], { cwd: room }), { work, backend, cache });
  return { refusals, sizes: seen.map(({ width, height }) => [width, height]) };
}

test("a quote judges the page that the steps name", async () => {
  expect(await quote(1)).toEqual({ refusals: [], sizes: [[80, 40]] });
  expect(await quote(2)).toEqual({ refusals: [], sizes: [[60, 120]] });
});

test("a quote for a page that the document lacks says so", async () => {
  const detail = "This PDF has 2 pages; there is no page 3.";
  expect(await quote(3)).toEqual({ refusals: [{ path, code: "cannot-process", detail }], sizes: [] });
});

test("a file whose name is not valid UTF-8 is refused, and the others are quoted", async () => {
  const folder = join(room, "names");
  mkdirSync(folder);
  const bmp = bmpFile({ width: 4, height: 2, bits: 24, body: Array.from({ length: 24 }, () => 0) });
  writeFileSync(join(folder, "good.bmp"), bmp);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.of(0xe9), Buffer.from(".bmp")]), bmp);
  const backend = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
  const pictures = await findPictures([folder], { cwd: room });
  expect(pictures).toHaveLength(2);
  const work = { steps: [readStep("convert", { target_format: "png" })] } as const;
  const { refusals } = await quotePictures(pictures, { work, backend, cache: openCache(join(room, "cache")) });
  expect(refusals).toEqual([
    {
      path: join(folder, "b\u{FFFD}.bmp"),
      code: "unreadable",
      detail: "The file cannot be read because its name is not valid UTF-8. Please rename it.",
    },
  ]);
});

test("a picture whose result is in the cache is not opened: what cannot be read as a picture is known too", async () => {
  const cache = openCache(join(room, "cache-of-known"));
  const work = { steps: [readStep("convert", { target_format: "png" })] } as const;
  const path = join(room, "cut.png");
  // Its signature is a PNG's; to open it would be refused as damaged.
  writeFileSync(path, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const backend = openOffline({ concurrency: 1, networks: openNetworks(join(room, "networks")) });
  const pictures = await findPictures([path], { cwd: room });
  const before = await quotePictures(pictures, { work, backend, cache });
  expect([before.known, before.refusals.map(({ code }) => code)]).toEqual([0, ["broken-image"]]);
  const content = digest(readFileSync(path));
  await cache.keep(cacheKey({ content, steps: work.steps, version: await backend.version() }), { kind: "own" });
  expect(await quotePictures(pictures, { work, backend, cache })).toMatchObject({ known: 1, refusals: [] });
});
