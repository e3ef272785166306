import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "@tintype/contract";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bmpFile } from "../../../codecs/src/testing/bmp-file.ts";
import { iconFile, rgbIcon } from "../../../codecs/src/testing/icon-file.ts";
import { casesOfRun } from "../testing/deep.ts";
import { heicFile } from "../testing/heic-file.ts";
import { channelDefinitions, jp2Codestream, jp2Container } from "../testing/jp2-file.ts";
import { jxlContainer, jxlFile } from "../testing/jxl-file.ts";
import { filled, firstObject, pdfFile, pdfStream } from "../testing/pdf-file.ts";
import { psdFile } from "../testing/psd-file.ts";
import { tiffFile } from "../testing/tiff-file.ts";
import { box } from "./heif/boxes.ts";
import { openSource } from "./open-source.ts";
import { checkDecodes } from "./source.ts";
import { stripMetadata } from "./strip-metadata.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "damaged-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Opens, decodes and strips the picture, as upload does. */
async function read(bytes: Uint8Array): Promise<void> {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  const source = await openSource(path, { megapixelsIn: 4, megapixelsOut: 4 });
  await checkDecodes(source);
  stripMetadata(bytes, source.format);
}

const noise = Buffer.from(Array.from({ length: 24 * 16 * 4 }, (_, i) => (i * i) % 251));
const picture = () => sharp(noise, { raw: { width: 24, height: 16, channels: 4 } }).withMetadata({ orientation: 6 });
const floats = () =>
  tiffFile({
    segments: [new Uint8Array(Float32Array.from({ length: 24 * 16 }, (_, i) => i / 400).buffer)],
    tags: [
      ...[256, 257, 258, 262, 277, 278, 339].map((tag, i) => ({
        tag,
        type: "short" as const,
        values: [[24, 16, 32, 1, 1, 16, 3][i] ?? 0],
      })),
      { tag: 341, type: "double", values: [1] },
    ],
  });

const rgb = noise.filter((_, i) => i % 4 < 3);
const planes = [0, 1, 2, 3].map((c) => noise.filter((_, i) => i % 4 === c));
const pngIcon = async (side: number) => ({
  width: side,
  height: side,
  png: await picture().resize(side, side).png().toBuffer(),
});

const files: [string, () => Promise<Uint8Array> | Uint8Array][] = [
  ["JPEG", () => picture().jpeg().toBuffer()],
  ["PNG", () => picture().png().toBuffer()],
  ["WebP", () => picture().webp().toBuffer()],
  ["GIF", () => picture().gif().toBuffer()],
  ["AVIF", () => picture().avif({ effort: 0 }).toBuffer()],
  ["TIFF", () => picture().tiff({ compression: "lzw", tile: true }).toBuffer()],
  ["BigTIFF", () => picture().tiff({ compression: "deflate", bigtiff: true }).toBuffer()],
  ["TIFF of floating point", floats],
  ["HEIC", () => heicFile({ hasMatte: true, codes: [1, 13, 6], exif: Buffer.from("II*\0\x08\0\0\0\0\0\0\0\0\0") })],
  ["HEIC of tiles", () => heicFile({ isGrid: true })],
  ["ICO", () => rgbIcon({ width: 8, height: 4, data: noise.subarray(0, 96) })],
  ["ICO of PNGs", async () => iconFile(...(await Promise.all([16, 32].map(pngIcon))))],
  ["JPEG XL", () => jxlFile({ width: 24, height: 16, data: noise })],
  [
    "JPEG XL in boxes",
    async () => jxlContainer(await jxlFile({ width: 24, height: 16, data: noise }), [["xml ", noise]]),
  ],
  ["JPEG 2000", () => jp2Codestream({ width: 24, height: 16, channels: 3, data: rgb })],
  [
    "JPEG 2000 in boxes",
    async () =>
      jp2Container(await jp2Codestream({ width: 24, height: 16, channels: 3, data: rgb }), {
        header: [channelDefinitions([0, 0, 1], [1, 0, 2], [2, 0, 3])],
        boxes: [["uuid", noise]],
      }),
  ],
  [
    "JPEG 2000 with a palette",
    async () =>
      jp2Container(await jp2Codestream({ width: 24, height: 16, channels: 1, data: noise.subarray(0, 384) }), {
        header: [
          box("pclr", [0, 4, 3, 7, 7, 7], noise.subarray(0, 12)),
          box("cmap", [0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 2]),
        ],
      }),
  ],
  [
    "PDF",
    () =>
      pdfFile({
        objects: [pdfStream(filled("0 0 1"), "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")],
        pages: [{ content: "/F Do", entries: `/Resources << /XObject << /F ${firstObject} 0 R >> >>` }],
      }),
  ],
  [
    "PSD",
    () => psdFile({ width: 24, height: 16, mode: 3, planes, isPacked: true, layers: -1, resources: [[1060, noise]] }),
  ],
  ["PSB", () => psdFile({ width: 24, height: 16, mode: 4, planes, isBig: true, layers: 2 })],
  ["BMP", () => bmpFile({ width: 4, height: 2, bits: 24, body: Array.from({ length: 24 }, (_, i) => i) })],
];

/** Values for a damaged offset or length. */
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

test.each(casesOfRun(files))("a damaged %s is read or refused, and never the engine's fault", async (_, make) => {
  const whole = await make();
  const damage = fc.oneof(
    fc.record({ length: fc.nat(whole.length - 1) }),
    fc.record({
      at: fc.nat(whole.length - 1),
      width: fc.constantFrom(1, 2, 4, 8),
      value: fc.constantFrom(...numbers),
      isLittle: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(damage, async (change) => {
      const bytes = Buffer.from(whole.subarray(0, "length" in change ? change.length : whole.length));
      if ("at" in change)
        for (let i = 0; i < change.width && change.at + i < bytes.length; i++) {
          const shift = 8 * (change.isLittle ? i : change.width - 1 - i);
          bytes[change.at + i] = shift < 32 ? (change.value >>> shift) & 255 : change.value === 0xffff_ffff ? 255 : 0;
        }
      const problem: unknown = await read(bytes).catch((thrown: unknown) => thrown);
      if (problem !== undefined) expect(problem).toBeInstanceOf(DomainError);
    }),
    { numRuns: 20, seed: 35 },
  );
});
