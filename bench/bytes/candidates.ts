import type { Sharp } from "sharp";
import type { OutputFormat } from "../../packages/contract/src/index.ts";
import { formatModules } from "../../packages/imaging/src/formats/registry.ts";
import type { Candidate } from "./measure.ts";
import { asSharp, type BenchPicture } from "./pictures.ts";
import { runProgram } from "./programs.ts";

/** One program over a range of its settings. */
export type Sweep = { label: string; candidate: Candidate; settings: readonly number[] };

const sweep = (
  /** Format and program: "JPEG: sharp". */
  name: string,
  encode: (picture: BenchPicture, setting: number) => Promise<Uint8Array>,
  settings: readonly number[],
): Sweep => ({ label: name.slice(name.indexOf(":") + 2), candidate: { name, version: "1", encode }, settings });

const qualities = [25, 40, 55, 70, 82, 90, 95, 98];
const ownQualities = [10, 25, 40, 55, 70, 82, 92, 96, 98, 100];
const colours = [8, 16, 32, 64, 128, 256];

const versions: Partial<Record<OutputFormat, string>> = { jpeg: "3", png: "4", webp: "6", avif: "3" };

/** The output of compress from pixels: the encoders with `minimizeBytes`. */
const ours = (format: OutputFormat): Sweep => {
  const { candidate, ...rest } = sweep(
    `${format}: Tintype`,
    async (picture, quality) =>
      (await formatModules[format].encode(asSharp(picture), { quality, minimizeBytes: true })).bytes,
    ownQualities,
  );
  return { ...rest, candidate: { ...candidate, version: versions[format] ?? "1" } };
};

const bySharp = (name: string, encode: (image: Sharp, setting: number) => Sharp, settings: readonly number[]) =>
  sweep(name, (picture, setting) => encode(asSharp(picture), setting).toBuffer(), settings);

const byImageMagick = (to: "jpg" | "png" | "webp" | "avif", option: string, settings: readonly number[]) =>
  sweep(
    `${to}: ImageMagick`,
    async (picture, setting) =>
      runProgram("imageMagick", {
        ...(await asPng(picture)),
        to,
        options: ({ input, output }) => [input, option, String(setting), output],
      }),
    settings,
  );

const asPng = async (picture: BenchPicture) => ({
  bytes: await asSharp(picture).png({ compressionLevel: 1 }).toBuffer(),
  from: "png",
});

const jpegoptim = sweep(
  "jpeg: jpegoptim",
  async (picture, quality) =>
    runProgram("jpegoptim", {
      // It accepts only JPEG, so give it an almost lossless one.
      bytes: await asSharp(picture).jpeg({ quality: 100, chromaSubsampling: "4:4:4" }).toBuffer(),
      from: "jpg",
      to: "jpg",
      isInPlace: true,
      options: ({ input }) => ["-q", "-f", "-s", `-m${quality}`, input],
    }),
  qualities,
);

const pngquant = sweep(
  "png: pngquant",
  async (picture, count) =>
    runProgram("pngquant", {
      ...(await asPng(picture)),
      to: "png",
      options: ({ input, output }) => [String(count), "--output", output, input],
    }),
  colours,
);

const cwebp = sweep(
  "webp: cwebp",
  async (picture, quality) =>
    runProgram("cwebp", {
      ...(await asPng(picture)),
      to: "webp",
      options: ({ input, output }) => ["-quiet", "-q", String(quality), input, "-o", output],
    }),
  qualities,
);

/** Ours first: the baseline of the comparison. */
export const sweeps: Record<"JPEG" | "PNG" | "WebP" | "AVIF", Sweep[]> = {
  JPEG: [
    ours("jpeg"),
    bySharp("jpeg: sharp", (image, quality) => image.jpeg({ quality }), qualities),
    byImageMagick("jpg", "-quality", qualities),
    jpegoptim,
  ],
  PNG: [
    ours("png"),
    bySharp(
      "png: sharp, palette",
      (image, quality) => image.png({ palette: true, quality }),
      [1, 5, 10, 20, 35, 50, 100],
    ),
    byImageMagick("png", "-colors", colours),
    pngquant,
  ],
  WebP: [
    ours("webp"),
    bySharp("webp: sharp", (image, quality) => image.webp({ quality }), qualities),
    byImageMagick("webp", "-quality", qualities),
    cwebp,
  ],
  AVIF: [
    ours("avif"),
    bySharp("avif: sharp", (image, quality) => image.avif({ quality }), qualities),
    byImageMagick("avif", "-quality", qualities),
  ],
};

/** Lossless: one file each. */
export const lossless: Record<"PNG" | "WebP", Sweep[]> = {
  PNG: [
    { ...ours("png"), settings: [100] },
    bySharp("png: sharp", (image) => image.png(), [0]),
    sweep(
      "png: ImageMagick, as it comes",
      async (picture) =>
        runProgram("imageMagick", {
          ...(await asPng(picture)),
          to: "png",
          options: ({ input, output }) => [input, output],
        }),
      [0],
    ),
  ],
  WebP: [
    { ...ours("webp"), settings: [100] },
    bySharp("webp: sharp, lossless", (image) => image.webp({ lossless: true }), [0]),
    sweep(
      "webp: cwebp -lossless",
      async (picture) =>
        runProgram("cwebp", {
          ...(await asPng(picture)),
          to: "webp",
          options: ({ input, output }) => ["-quiet", "-lossless", input, "-o", output],
        }),
      [0],
    ),
  ],
};
