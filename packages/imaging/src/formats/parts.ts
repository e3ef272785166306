import { readFile } from "node:fs/promises";
import { sniffBytes, sniffFormat } from "@tintype/codecs/headers";
import { readDirectory, tiffLayout } from "../raster/tiff-directory.ts";
import { withBytesOf } from "./byte-window.ts";
import { type Box, readBoxes } from "./heif/boxes.ts";
import { auxiliaryTypeOf } from "./heif/facts.ts";
import { readItems } from "./heif/items.ts";
import { startsWith } from "./jpeg/metadata.ts";
import { filmStart, isoOf, readJpegPictures, xmpOf } from "./jpeg/pictures.ts";
import { afterPng, readPngChunks } from "./png/container.ts";
import { readPsdLayout } from "./psd/layout.ts";
import { readWebpChunks } from "./webp/container.ts";

/** What a file can contain besides the primary picture, and the notes about it. */
const sentences = {
  gainMap: { lost: () => "The HDR gain map was left out.", kept: () => "The HDR gain map was kept." },
  depth: { lost: () => "The depth map was left out.", kept: () => "The depth map was kept." },
  matte: { lost: () => "The portrait mattes were left out.", kept: () => "The portrait mattes were kept." },
  film: {
    lost: () => "The film of the motion photo was left out.",
    kept: () => "The film of the motion photo was kept.",
  },
  picture: {
    lost: (count) =>
      count === 1
        ? "The second picture in the file was left out."
        : `${count} further pictures in the file were left out.`,
    kept: () => "The further pictures in the file were kept.",
  },
  layers: { lost: () => "The layers were left out: only the flattened picture is read.", kept: () => "" },
  credentials: {
    lost: () => "Content credentials (C2PA) were left out: they vouch for the original file only.",
    kept: () => "",
  },
  data: { lost: () => "Data after the end of the picture was left out.", kept: () => "" },
} as const satisfies Record<string, { lost(count: number): string; kept(): string }>;

type Part = keyof typeof sentences;
/** The number of each part in a file; missing parts are absent. */
export type Parts = ReadonlyMap<Part, number>;

const isPart = (name: string): name is Part => Object.hasOwn(sentences, name);
const allParts = Object.keys(sentences).filter(isPart);

/** Notes about the parts of a source, a sentence each: those left out, then those kept. */
export function describeParts(source: Parts, result: Parts): string[] {
  const had = allParts.filter((part) => source.has(part));
  return [
    ...had.filter((part) => !result.has(part)).map((part) => sentences[part].lost(source.get(part) ?? 1)),
    ...had.filter((part) => result.has(part)).map((part) => sentences[part].kept()),
  ].filter((sentence) => sentence !== "");
}

/** The notes of an intermediate step without those about kept parts: only the last step knows what is kept. */
export const withoutKeptParts = (notes: readonly string[]): string[] =>
  notes.filter((note) => note === "" || !allParts.some((part) => note === sentences[part].kept()));

/**
 * Finds the parts by the file's structure, without decoding; none if it cannot be parsed. `isStandIn`: the lossless PNG
 * that one step writes for the next, which has the gain map's JPEG after IEND.
 */
export async function readParts(path: string, { isStandIn = false } = {}): Promise<Parts> {
  try {
    return await withBytesOf(path, async (read) => {
      const format = sniffFormat(await read(0, sniffBytes));
      switch (format) {
        case "jpeg":
          return partsOfJpeg(await readFile(path));
        case "png":
          if (isStandIn) return partsOfJpeg(afterPng(await readFile(path)));
          return count({ credentials: await hasChunk(readPngChunks(read), pngManifest) });
        case "webp":
          return count({ credentials: await hasChunk(readWebpChunks(read), webpManifest) });
        case "avif":
        case "heic":
          return partsOfHeif(await readFile(path));
        case "jxl":
        case "jp2":
          return partsOfBoxes(await readFile(path));
        case "psd":
          return count({ layers: readPsdLayout(await readFile(path)).hasLayers });
        case "tiff":
          return partsOfTiff(await readFile(path));
        case "gif":
          return count({ credentials: (await readFile(path)).includes(gifMark) });
        case "svg":
          return count({ credentials: /<c2pa:manifest[\s>]/.test(await readFile(path, "utf8")) });
        default:
          return new Map();
      }
    });
  } catch (cause) {
    if (cause instanceof RangeError) return new Map();
    throw cause;
  }
}

/** `found`: of each part how many there are, or whether it is there. */
function count(found: Partial<Record<Part, number | boolean>>): Parts {
  const there = allParts.filter((part) => found[part]);
  return new Map(there.map((part) => [part, Number(found[part])]));
}

const app11 = 0xeb;

function partsOfJpeg(bytes: Uint8Array): Parts {
  const { first, others, tail } = readJpegPictures(bytes);
  const xmp = xmpOf(first);
  const further = others
    .filter(({ isPreview }) => !isPreview)
    .map((picture) => partNamed(picture.semantic ?? "") ?? partNamed(xmpOf(picture), isoOf(picture)) ?? "picture");
  const numberOf = (part: Part) => further.filter((one) => one === part).length;
  const hasDepth = further.includes("depth") || /\bGDepth:/.test(xmp);
  const isSigned = first.applicationData.some(({ marker, data }) => marker === app11 && isManifest(data));
  const hasFilm = tail !== undefined && filmStart(bytes, first.end) !== undefined;
  return count({
    gainMap: numberOf("gainMap"),
    matte: numberOf("matte"),
    picture: numberOf("picture"),
    depth: hasDepth,
    film: hasFilm,
    credentials: isSigned,
    data: tail !== undefined && !hasFilm,
  });
}

/** By Google's Item:Semantic, Apple's auxiliary image type, or gain map metadata (hdrgm, ISO 21496-1). */
function partNamed(text: string, iso?: Uint8Array): "gainMap" | "matte" | "depth" | undefined {
  if (iso || /\bhdrgm:|hdrgainmap|^GainMap$/.test(text)) return "gainMap";
  if (/matte/i.test(text)) return "matte";
  if (/\bdepthData:|^Depth|AuxiliaryImageType\W+(?:disparity|depth)/i.test(text)) return "depth";
  return undefined;
}

/**
 * JUMBF in APP11 (C2PA 2.1, A.3.1; ISO/IEC 19566-5, B.3): "JP", box instance number, packet sequence number, the box.
 */
const isManifest = (data: Uint8Array): boolean =>
  startsWith(data, "JP") && Buffer.from(data.subarray(0, 128)).includes("c2pa");

/** C2PA 2.1, A.3.3. */
const pngManifest = { wanted: "caBX", before: "IDAT" };
/** C2PA 2.1, A.3.6: a RIFF chunk. */
const webpManifest = { wanted: "C2PA" };

/** Whether a chunk of the wanted type exists, before any of the other type. */
async function hasChunk(
  chunks: AsyncIterable<{ type: string }>,
  { wanted, before }: { wanted: string; before?: string },
): Promise<boolean> {
  for await (const { type } of chunks) if (type === wanted || type === before) return type === wanted;
  return false;
}

/** C2PA 2.1, A.3.2: an application extension. */
const gifMark = Buffer.from("!\xff\x0bC2PA_GIF", "latin1");

/** C2PA 2.1, A.5: the extended type of its `uuid` box. */
const c2paBox = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
/** Auxiliary types of depth maps: ISO/IEC 23008-12, 6.6.2.1.3, and the older one for HEVC. */
const depthNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:mpeg:hevc:2015:auxid:2"];

function partsOfHeif(bytes: Uint8Array): Parts {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const isC2pa = ({ type, body }: Box) => type === "uuid" && c2paBox.equals(bytes.subarray(body, body + 16));
  const names = [...readItems(bytes, boxes).items.values()].map((item) =>
    item.type === "tmap" ? "hdrgainmap" : (auxiliaryTypeOf(bytes, item) ?? ""),
  );
  return count({
    gainMap: names.some((name) => name.includes("hdrgainmap")),
    depth: names.some((name) => depthNames.includes(name)),
    matte: names.some((name) => name.endsWith("matte")),
    // Google's box for the video of a motion photo.
    film: boxes.some(({ type }) => type === "mpvd"),
    credentials: boxes.some(isC2pa),
  });
}

/** JPEG XL (ISO/IEC 18181-2) and JPEG 2000: gain maps are in `jhgm` boxes, content credentials in JUMBF superboxes. */
function partsOfBoxes(bytes: Uint8Array): Parts {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const isSigned = boxes.some(
    ({ type, body, end }) =>
      type === "jumb" && Buffer.from(bytes.subarray(body, Math.min(end, body + 128))).includes("c2pa"),
  );
  return count({ gainMap: boxes.some(({ type }) => type === "jhgm"), credentials: isSigned });
}

/** Photoshop's ImageSourceData, and C2PA 2.1, A.3.4. */
const [layersTag, c2paTag] = [37_724, 52_545];

function partsOfTiff(bytes: Uint8Array): Parts {
  const layout = tiffLayout(bytes);
  const tags = readDirectory(layout, layout.first).entries.map(({ tag }) => tag);
  return count({ layers: tags.includes(layersTag), credentials: tags.includes(c2paTag) });
}
