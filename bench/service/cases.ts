import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { defaultQuality } from "../../packages/imaging/src/formats/write-picture.ts";
import { encodings } from "../../packages/imaging/src/quality/encodings.ts";
import { encoderSetting } from "../../packages/imaging/src/quality/scale.ts";

export type Case = {
  name: string;
  file: string;
  task: "compress" | "resize";
  fields: Record<string, string>;
  /** The same with sharp alone: same size and likeness, by mozjpeg with trellis quantization. */
  raw(path: string): Sharp;
  /** The same with sharp's `mozjpeg: true`, which tries all scan orders for a resized picture too. */
  rawThorough(path: string): Sharp;
  /** What the service does, in sharp: resizing in linear light. Absent if nothing is resized. */
  rawLinear?(path: string): Sharp;
  /** ipx's modifiers for it, and the same with sharp alone at ipx's settings. */
  peer: { modifiers: string; raw(path: string): Sharp };
};

const quality = 75;
const settingFor = (asked: number) => encoderSetting("jpeg-420", asked);
/** mozjpeg with trellis quantization and every scan order. */
const encodeThoroughly = (image: Sharp, asked: number) => encodings["jpeg-420"](image, settingFor(asked));
/** The same pixels with one scan order: mozjpeg's fastest mode with trellis quantization. */
const encodeQuickly = (image: Sharp, asked: number) =>
  image.jpeg({
    trellisQuantisation: true,
    overshootDeringing: true,
    progressive: true,
    quantisationTable: 5,
    quality: settingFor(asked),
    chromaSubsampling: "4:2:0",
  });
/** ipx passes its quality to sharp's plain JPEG encoder. */
const encodeAsPeer = (image: Sharp) => image.jpeg({ quality });

const compress = (name: string, file: string): Case => ({
  name,
  file,
  task: "compress",
  fields: { quality: String(quality) },
  raw: (path) => encodeThoroughly(sharp(path).autoOrient(), quality),
  rawThorough: (path) => encodeThoroughly(sharp(path).autoOrient(), quality),
  peer: { modifiers: `q_${quality},f_jpeg`, raw: (path) => encodeAsPeer(sharp(path)) },
});
const resize = (name: string, file: string, width: number): Case => ({
  name,
  file,
  task: "resize",
  fields: { width: String(width), method: "fit" },
  raw: (path) => encodeQuickly(sharp(path).autoOrient().resize(width), defaultQuality),
  rawThorough: (path) => encodeThoroughly(sharp(path).autoOrient().resize(width), defaultQuality),
  rawLinear: (path) =>
    encodeQuickly(sharp(path).autoOrient().pipelineColourspace("scrgb").resize(width), defaultQuality),
  peer: { modifiers: `w_${width},q_${quality},f_jpeg`, raw: (path) => encodeAsPeer(sharp(path).resize(width)) },
});

export const cases: readonly Case[] = [
  compress("12 MP compress", "12mp.jpg"),
  resize("12 MP to 1600 px", "12mp.jpg", 1600),
  compress("1 MP compress", "1mp.jpg"),
  resize("1 MP to 400 px", "1mp.jpg", 400),
];

/** Two photographs of the data pack at 12 and 1 MP, as from a camera. */
export async function writeInputs(photos: string, folder: string): Promise<void> {
  const camera = await readFile(join(photos, "camera_oppo_r7_13mp.jpg"));
  const write = async (name: string, width: number, height: number) =>
    writeFile(
      join(folder, name),
      await sharp(camera).autoOrient().resize(width, height, { fit: "cover" }).jpeg({ quality: 92 }).toBuffer(),
    );
  await write("12mp.jpg", 4000, 3000);
  await write("1mp.jpg", 1200, 840);
}
