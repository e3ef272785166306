import { DomainError } from "@tintype/contract";
import { readResources, resourceIds } from "../../metadata/image-resources.ts";

/** Adobe Photoshop File Formats Specification, "File Header Section". */
export const colourModes = { bitmap: 0, grey: 1, indexed: 2, rgb: 3, cmyk: 4, multichannel: 7, duotone: 8, lab: 9 };

export type PsdLayout = {
  /** A large document (PSB), some of whose lengths have 8 bytes, and counts 4. */
  isBig: boolean;
  width: number;
  height: number;
  channels: number;
  depth: number;
  mode: number;
  /** Planar: all red, then all green, then all blue values; empty if there is none. */
  palette: Uint8Array;
  resources: Map<number, Uint8Array>;
  /** The offset of the merged image. */
  pictureAt: number;
  hasLayers: boolean;
  /** The first channel after the colours is the transparency of the merged image; others are saved selections. */
  hasTransparency: boolean;
  /** The file was saved without a merged image. */
  lacksPicture: boolean;
};

const headerBytes = 26;

/** Reads everything but the pixels. @throws broken-image, RangeError if a section reaches past the file */
export function readPsdLayout(file: Uint8Array): PsdLayout {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = view.getUint16(4);
  if (version !== 1 && version !== 2) brokenPsd(`it has version ${version}`);
  const isBig = version === 2;
  const [channels, height, width, depth, mode] = [
    view.getUint16(12),
    view.getUint32(14),
    view.getUint32(18),
    view.getUint16(22),
    view.getUint16(24),
  ];
  if (channels === 0 || channels > 56 || width === 0 || height === 0) brokenPsd("its header makes no sense");
  const paletteAt = headerBytes + 4;
  const paletteEnd = paletteAt + view.getUint32(headerBytes);
  const resourcesEnd = paletteEnd + 4 + view.getUint32(paletteEnd);
  const lengthBytes = isBig ? 8 : 4;
  const layersEnd = resourcesEnd + lengthBytes + lengthAt(view, resourcesEnd, isBig);
  if (layersEnd + 2 > file.length) brokenPsd("its sections reach past the file");
  const resources = readResources(file.subarray(paletteEnd + 4, resourcesEnd));
  const layers = readLayers(file.subarray(resourcesEnd + lengthBytes, layersEnd), isBig);
  return {
    isBig,
    width,
    height,
    channels,
    depth,
    mode,
    palette: file.subarray(paletteAt, paletteEnd),
    resources,
    pictureAt: layersEnd,
    ...layers,
    lacksPicture: resources.get(resourceIds.version)?.[4] === 0,
  };
}

const lengthAt = (view: DataView, at: number, isLong: boolean) =>
  isLong ? Number(view.getBigUint64(at)) : view.getUint32(at);

/** "Additional Layer Information": these have 8-byte lengths in a PSB. */
const longBlocks = [
  "LMsk",
  "Lr16",
  "Lr32",
  "Layr",
  "Mt16",
  "Mt32",
  "Mtrn",
  "Alph",
  "FMsk",
  "lnk2",
  "FEid",
  "FXid",
  "PxSD",
];

/**
 * "Layer and Mask Information Section": a negative layer count, or an `Mt*` block, means that the merged image has
 * transparency. Documents of more than 8 bits have their layers in a block too.
 */
function readLayers(section: Uint8Array, isBig: boolean): Pick<PsdLayout, "hasLayers" | "hasTransparency"> {
  const found = { hasLayers: false, hasTransparency: false };
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  const lengthBytes = isBig ? 8 : 4;
  const take = (count: number) => {
    found.hasLayers ||= count !== 0;
    found.hasTransparency ||= count < 0;
  };
  if (section.length < lengthBytes + 4) return found;
  const infoBytes = lengthAt(view, 0, isBig);
  if (infoBytes >= 2) take(view.getInt16(lengthBytes));
  let at = lengthBytes + infoBytes;
  at += 4 + (at + 4 <= section.length ? view.getUint32(at) : 0);
  while (at + 12 <= section.length) {
    const name = String.fromCharCode(...section.subarray(at + 4, at + 8));
    const isLong = isBig && longBlocks.includes(name);
    if (at + (isLong ? 16 : 12) > section.length) break;
    const length = lengthAt(view, at + 8, isLong);
    const start = at + (isLong ? 16 : 12);
    if (/^Mt(rn|16|32)$/.test(name)) found.hasTransparency = true;
    if (/^(Layr|Lr16|Lr32)$/.test(name) && length >= 2 && start + 2 <= section.length) take(view.getInt16(start));
    at = start + Math.ceil(length / 4) * 4;
  }
  return found;
}

/** @throws broken-image always; `cause` goes to the log */
export function brokenPsd(cause: string): never {
  throw new DomainError("broken-image", { cause: `PSD: ${cause}` });
}
