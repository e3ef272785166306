import sharp from "sharp";
import { encodeGif } from "../../packages/imaging/src/formats/gif/write.ts";
import { timed } from "../timed.ts";

/** GIFs from resize and convert compared with libvips' encoder: the same pixels, at half the width. */
export async function measureEncoding(bytes: Uint8Array) {
  const { width } = await sharp(bytes).metadata();
  const strip = sharp(bytes, { animated: true }).resize({ width: Math.round(width / 2) });
  // Decoded and resized once: only encoding is compared.
  const { data, info } = await strip.raw().toBuffer({ resolveWithObject: true });
  const { width: widthPx, height, channels, pageHeight = height } = info;
  const raw = { width: widthPx, height, channels: channels as 3 | 4, pageHeight }; // a GIF has colour
  const plain = await timed(() => sharp(data, { raw }).gif().toBuffer());
  const ours = await timed(async () => (await encodeGif(sharp(data, { raw }).gif(), { quality: 85 })).bytes);
  return {
    "libvips, bytes": plain.answer.length.toLocaleString("en"),
    "ours, bytes": ours.answer.length.toLocaleString("en"),
    "of libvips": `${((ours.answer.length / plain.answer.length) * 100).toFixed(0)} %`,
    "CPU time, libvips = 1": (ours.cpu / plain.cpu).toFixed(2),
  };
}
