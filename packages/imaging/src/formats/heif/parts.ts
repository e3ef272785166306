import { countParts, type Parts } from "../parts.ts";
import { type Box, readBoxes } from "./boxes.ts";
import { auxiliaryTypeOf } from "./facts.ts";
import { readItems } from "./items.ts";

/** C2PA 2.1, A.5: the extended type of its `uuid` box. */
const c2paBox = Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex");
/** Auxiliary types of depth maps: ISO/IEC 23008-12, 6.6.2.1.3, and the older one for HEVC. */
const depthNames = ["urn:mpeg:mpegB:cicp:systems:auxiliary:depth", "urn:mpeg:hevc:2015:auxid:2"];

export function partsOfHeif(bytes: Uint8Array): Parts {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const isC2pa = ({ type, body }: Box) => type === "uuid" && c2paBox.equals(bytes.subarray(body, body + 16));
  const names = [...readItems(bytes, boxes).items.values()].map((item) =>
    item.type === "tmap" ? "hdrgainmap" : (auxiliaryTypeOf(bytes, item) ?? ""),
  );
  return countParts({
    gainMap: names.some((name) => name.includes("hdrgainmap")),
    depth: names.some((name) => depthNames.includes(name)),
    matte: names.some((name) => name.endsWith("matte")),
    // Google's box for the video of a motion photo.
    motion: boxes.some(({ type }) => type === "mpvd"),
    credentials: boxes.some(isC2pa),
  });
}

/** JPEG XL (ISO/IEC 18181-2) and JPEG 2000: gain maps are in `jhgm` boxes, content credentials in JUMBF superboxes. */
export function partsOfBoxes(bytes: Uint8Array): Parts {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const isSigned = boxes.some(
    ({ type, body, end }) =>
      type === "jumb" && Buffer.from(bytes.subarray(body, Math.min(end, body + 128))).includes("c2pa"),
  );
  return countParts({ gainMap: boxes.some(({ type }) => type === "jhgm"), credentials: isSigned });
}
