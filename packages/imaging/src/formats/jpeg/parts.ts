import { countParts, type Parts } from "../parts.ts";
import { startsWith } from "./metadata.ts";
import { isoOf, motionStart, readJpegPictures, xmpOf } from "./pictures.ts";

const app11 = 0xeb;

export function partsOfJpeg(bytes: Uint8Array): Parts {
  const { first, others, tail } = readJpegPictures(bytes);
  const xmp = xmpOf(first);
  const further = others
    .filter(({ isPreview }) => !isPreview)
    .map((picture) => partNamed(picture.semantic ?? "") ?? partNamed(xmpOf(picture), isoOf(picture)) ?? "picture");
  const numberOf = (part: (typeof further)[number]) => further.filter((one) => one === part).length;
  const hasDepth = further.includes("depth") || /\bGDepth:/.test(xmp);
  const isSigned = first.applicationData.some(({ marker, data }) => marker === app11 && isManifest(data));
  const hasMotion = tail !== undefined && motionStart(bytes, first.end) !== undefined;
  return countParts({
    gainMap: numberOf("gainMap"),
    matte: numberOf("matte"),
    picture: numberOf("picture"),
    depth: hasDepth,
    motion: hasMotion,
    credentials: isSigned,
    data: tail !== undefined && !hasMotion,
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
