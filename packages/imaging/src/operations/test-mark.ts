import type { OutputFormat } from "@tintype/contract";
import sharp from "sharp";
import type { Encoded } from "../formats/encoder.ts";
import { outputFormat } from "../formats/output-format.ts";
import { formatModules } from "../formats/registry.ts";
import { factsOf } from "../formats/source.ts";
import { defaultQuality, writeWhole } from "../formats/write-picture.ts";
import { encodeWithin } from "../formats/write-within.ts";
import { optionOf } from "../metadata/choice.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";

/** The longest side of a test key's results, px. */
const longestSidePx = 512;

/**
 * Reduces a result to what a test key may have: a small still picture with TEST written all over it, in `max_bytes` of its
 * options.
 */
export const markAsTest: Operation = async (task, { signal }) => {
  const source = await openInput(task);
  const { format, note } = outputFormat(source, "resize");
  const side = { width: longestSidePx, height: longestSidePx };
  const small = source.read({ colour: "srgb" }).resize({ ...side, fit: "inside", withoutEnlargement: true });
  const { data, info } = await small.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true });
  signal.throwIfAborted();
  const marked = await sharp(data)
    .composite([{ input: markOver(info) }])
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { bytes, width, height } = await encode(marked, { format, limit: optionOf(task.options, "max_bytes"), signal });
  await writeWhole(task.outputPath, bytes);
  const result = { format, width, height, sizeBytes: bytes.length };
  return {
    kind: "done",
    source: factsOf(source),
    result,
    notes: [{ code: "test-key", longestPx: longestSidePx }, ...(note ? [note] : [])],
  };
};

type EncodeMarkedOptions = { format: OutputFormat; limit: unknown; signal: AbortSignal };

/**
 * Fits a byte limit at any quality and size: what the caller allowed was applied to the result below the mark.
 * @throws size-unreachable
 */
async function encode(marked: Uint8Array, { format, limit, signal }: EncodeMarkedOptions): Promise<Encoded> {
  const open = () => sharp(marked);
  const usual = await formatModules[format].encode(open(), { quality: defaultQuality, signal });
  if (typeof limit !== "number" || usual.bytes.length <= limit) return usual;
  return encodeWithin(open(), {
    format,
    maxBytes: limit,
    minQuality: 1,
    bestQuality: defaultQuality,
    allowResize: true,
    isAnimated: false,
    hasHalvedColour: false,
    signal,
    shrink: async (scale) => open().resize({ width: Math.max(1, Math.round(usual.width * scale)) }),
  });
}

/** T, E, S and T, five units wide and seven high: an engine has no fonts to rely on. */
const letters = [
  "M0 0h5v1.5h-1.75V7h-1.5V1.5H0z",
  "M7 0h5v1.5H8.5v1.25h3v1.5h-3V5.5H12V7H7z",
  "M14 0h5v1.5h-3.5v1.25H19V7h-5V5.5h3.5V4.25H14z",
  "M21 0h5v1.5h-1.75V7h-1.5V1.5H21z",
].join("");

/** Black with a white outline, visible on any background; small pictures get small letters. */
function markOver({ width, height }: { width: number; height: number }): Buffer {
  const scale = Math.max(0.5, Math.min(width, height) / 90);
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><pattern id="p" width="36" height="18" patternUnits="userSpaceOnUse" patternTransform="rotate(-30) scale(${scale})">
      <path transform="translate(5 5)" d="${letters}" fill="#000" fill-opacity=".4" stroke="#fff" stroke-opacity=".4" stroke-width=".6"/>
    </pattern></defs><rect width="100%" height="100%" fill="url(#p)"/></svg>`);
}
