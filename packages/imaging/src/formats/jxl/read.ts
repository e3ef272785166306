import { rowsOf } from "@tintype/codecs/raster";
import { DomainError, type Note } from "@tintype/contract";
import sharp from "sharp";
import { readPicture } from "../../raster/read-picture.ts";
import { decodeInThread } from "../decoder-thread.ts";
import { unmultiply } from "../heif/unmultiply.ts";
import { checkPixels, refusePixels } from "../limits.ts";
import { pngChunks } from "../png/container.ts";
import { packRows } from "../png/pack-rows.ts";
import { openDecodedPng } from "../png/read.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { isPremultiplied } from "./premultiplied.ts";

/** The decoder needs about 40 bytes per pixel, and has 4 GB. */
const maxMegapixels = 80;

/** Opens the first frame of a JPEG XL at its own bit depth. */
export async function openJxl({ file, limits }: FileOpenOptions): Promise<Source> {
  const most = Math.min(limits.megapixelsIn, maxMegapixels);
  const bytes = await file.bytes();
  const { png, isUnread, width, height, frames } = await decodeInThread({
    decoder: "jxl",
    bytes,
    options: { maxPixels: most * 1e6 },
    // Reported before the pixels are decoded: the time limit depends on the size.
    onSize: (size) => checkPixels(size, limits),
  });
  if (isUnread) throw new DomainError("cannot-process", { reason: { code: "jxl-colour-space" } });
  if (!png)
    refusePixels({
      code: "jxl-too-large",
      limit: maxMegapixels,
      megapixels: Math.ceil((width * height) / 1e6),
    });
  const notes: Note[] = frames > 1 ? [{ code: "first-frame-kept", frames }] : [];
  const straight = isPremultiplied(bytes) ? await divideByAlpha(png) : png;
  const source = await openDecodedPng(straight, { file, format: "jxl", limits, notes });
  return { ...source, pages: frames };
}

const colourChunks = new Set(["iCCP", "sRGB", "gAMA", "cHRM", "cICP"]);
/** The signature and IHDR (PNG, third edition, 5.6). */
const headBytes = 8 + 25;

/** The decoded PNG with straight alpha, in the same depth and colours. */
async function divideByAlpha(png: Uint8Array): Promise<Uint8Array> {
  const options = { limitInputPixels: false, ignoreIcc: true } as const;
  const { hasAlpha, space, depth: sampleType } = await sharp(png, options).metadata();
  if (!hasAlpha) return png;
  const isGrey = space === "b-w" || space === "grey16";
  const depth = sampleType === "ushort" ? 16 : 8;
  const target = isGrey ? (depth === 16 ? "grey16" : "b-w") : depth === 16 ? "rgb16" : "srgb";
  const picture = await readPicture(sharp(png, options).toColourspace(target), { depth, isGrey, hasAlpha });
  unmultiply(picture.data, picture.channels);
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows({ ...rowsOf(picture), profile: undefined }, { isUrgent: true }))
    pieces.push(piece);
  const divided = Buffer.concat(pieces);
  const kept = [...pngChunks(png)].flatMap(({ type, whole }) => (colourChunks.has(type) ? [whole] : []));
  return Buffer.concat([divided.subarray(0, headBytes), ...kept, divided.subarray(headBytes)]);
}
