import { readFile, rm } from "node:fs/promises";
import { hasAlpha } from "@tintype/codecs/raster";
import {
  extensionOf,
  markupFileName,
  mediaTypeOf,
  pictureHtml,
  readWidths,
  type SetFile,
  setFileName,
  type TaskOptions,
  type WebSet,
} from "@tintype/contract";
import { embedFields } from "../formats/embed-fields.ts";
import { factsOf } from "../formats/source.ts";
import { uniqueNotes } from "../formats/unique-notes.ts";
import { writePicture, writeWhole } from "../formats/write-picture.ts";
import { describeMetadata } from "../metadata/note.ts";
import type { Selection } from "../metadata/select.ts";
import { planKeeping } from "./keep-metadata.ts";
import { openStill } from "./open-input.ts";
import type { Operation } from "./operation.ts";
import { resizeGeometry } from "./resize/geometry.ts";
import { openSizes, type SizedPicture } from "./web-set/open-sizes.ts";
import { formatsOf, type SetFormat, sizesOf, worthwhileFormats } from "./web-set/plan.ts";
import { zipOf } from "./web-set/zip.ts";

/** The share of the total time for decoding. */
const decodingShare = 0.1;

type WrittenFile = { format: SetFormat; file: SetFile; content: Uint8Array };

/**
 * A picture for a web page: each width in each format, the markup and a placeholder, as a ZIP. The picture is decoded
 * once, and each size is resampled once for all formats. The formats share the product's quality scale, so that all
 * look alike.
 */
export const webSet: Operation = async (task, { signal, progress }) => {
  const options = task.options as TaskOptions<"web-set">; // parsed by the contract
  const source = await openStill(task, "web-set");
  const sizes = sizesOf(source, options, task.limits);
  const [largest] = sizes;
  const { width, height } = largest;
  // An SVG may be rendered far above its own size: report the rendered one, from which the time limit is derived.
  if (source.format === "svg") task.limits.reportMegapixels?.((width * height) / 1e6);
  const { selection } = await planKeeping(task);
  const made = await openSizes(source, { task, signal });
  const path = `${task.outputPath}.file`;
  const notes = [...source.notes, ...made.notes];
  const total = sizes.reduce((sum, { width, height }) => sum + width * height, 0);
  try {
    // An SVG takes longest to render: report progress once its largest rendering is done.
    const first = await made.make(largest);
    progress({ fraction: decodingShare });
    const tiny = await made.make(resizeGeometry(source, { ...placeholderBox, method: "fit" }));
    const hasTransparency = source.hasAlpha && !(await isOpaque(first));
    const wanted = formatsOf(options.formats, { hasTransparency });
    const stem = stemOf(task.pictureName ?? "");
    const written: WrittenFile[] = [];
    let pixels = 0;
    for (const size of sizes) {
      const picture = size === largest ? first : await made.make(size);
      for (const format of wanted) {
        signal.throwIfAborted();
        const name = `${stem}-${size.width}.${extensionOf(format)}`;
        progress({ fraction: decodingShare + (1 - decodingShare) * (pixels / total), stage: "writing-set" });
        const { quality } = options;
        const { content, notes: fileNotes } = await encode(picture, { format, path, quality, selection, signal });
        notes.push(...fileNotes);
        const file = { name, type: mediaTypeOf(format), width: size.width, height: size.height, bytes: content.length };
        written.unshift({ format, file, content });
        pixels += (size.width * size.height) / wanted.length;
      }
    }
    const ofFormat = (format: SetFormat) => written.filter((one) => one.format === format);
    const worthwhile = worthwhileFormats(wanted, (format) =>
      ofFormat(format).reduce((sum, { file }) => sum + file.bytes, 0),
    );
    for (const format of wanted) if (!worthwhile.includes(format)) notes.push({ code: "set-format-left-out", format });
    const files = worthwhile.flatMap(ofFormat);
    const set: WebSet = {
      width,
      height,
      hasTransparency,
      sizes: options.sizes,
      alt: options.alt ?? "",
      placeholder: await placeholderOf(tiny),
      files: files.map(({ file }) => file),
    };
    const zip = zipOf([
      ...files.map(({ file, content }) => ({ name: file.name, bytes: content })),
      { name: markupFileName, bytes: Buffer.from(pictureHtml(set)) },
      { name: setFileName, bytes: Buffer.from(`${JSON.stringify(set, null, 2)}\n`) },
    ]);
    await writeWhole(task.outputPath, zip);
    if (Math.max(...readWidths(options.widths)) > width) notes.push({ code: "set-not-enlarged", width });
    return {
      kind: "done",
      source: factsOf(source),
      result: { format: "zip", width, height, sizeBytes: zip.length },
      notes: uniqueNotes(notes),
    };
  } finally {
    await made.close();
    await rm(path, { force: true });
  }
};

type EncodeOptions = { format: SetFormat; path: string; quality: number; selection: Selection; signal: AbortSignal };

/** Writes one file with its metadata by way of `path`, and returns notes on losses and on what was kept. */
async function encode({ open, decoded }: SizedPicture, { selection, path, ...encoding }: EncodeOptions) {
  const minimizeBytes = encoding.quality < 100;
  const { notes: lost } = await writePicture(open(), { ...encoding, path, minimizeBytes, decoded });
  const { fields } = await embedFields(path, selection, Number.POSITIVE_INFINITY);
  const kept = describeMetadata(selection.found, fields);
  return { content: await readFile(path), notes: kept === undefined ? lost : [...lost, kept] };
}

/** px; a square, so that the placeholder of a narrow banner is no larger than any other. */
const placeholderBox = { width: 20, height: 20 };
const placeholderQuality = 40;

async function placeholderOf({ open }: SizedPicture): Promise<string> {
  const bytes = await open().webp({ quality: placeholderQuality, effort: 6 }).toBuffer();
  return `data:image/webp;base64,${bytes.toString("base64")}`;
}

/** Checked on the largest picture: in a smaller one, rounded corners of a few pixels are averaged away. */
async function isOpaque({ decoded, open }: SizedPicture): Promise<boolean> {
  if (!decoded) return (await open().stats()).isOpaque; // on disk
  if (!hasAlpha(decoded.channels)) return true;
  const { data, channels } = decoded;
  const full = data instanceof Uint16Array ? 65_535 : 255;
  for (let at = channels - 1; at < data.length; at += channels) if (data[at] !== full) return false;
  return true;
}

/**
 * File systems allow names of 255 bytes: this leaves room for the width, the extension and the suffix of a temporary
 * file.
 */
const maxStemBytes = 180;

/** The stem of the file names: the picture's own name without ASCII characters that a URL would have to escape. */
function stemOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const plain = (dot > 0 ? name.slice(0, dot) : name)
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+|[-.]+$/g, "");
  const characters = [...plain].slice(0, maxStemBytes);
  while (Buffer.byteLength(characters.join("")) > maxStemBytes) characters.pop();
  return characters.join("") || "picture";
}
