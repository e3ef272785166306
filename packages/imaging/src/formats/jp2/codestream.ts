import { DomainError } from "@tintype/contract";
import type { Range } from "../../raster/blank-ranges.ts";

/** Markers of ISO/IEC 15444-1, annex A. */
const markers = { soc: 0xff4f, siz: 0xff51, com: 0xff64, sot: 0xff90, sod: 0xff93, eoc: 0xffd9 } as const;

export type Component = {
  bits: number;
  isSigned: boolean;
  /** The subsampling factors on the reference grid (XRsiz and YRsiz). */
  across: number;
  down: number;
};

export type Codestream = {
  /** The image area on the reference grid (XOsiz, YOsiz, Xsiz and Ysiz). */
  left: number;
  top: number;
  right: number;
  bottom: number;
  components: Component[];
  /** The byte ranges of the comment segments' text. */
  comments: Range[];
  /** The end of the last tile-part, before EOC. */
  end: number;
};

/** The dimensions of a component with this subsampling (ISO/IEC 15444-1, B.2), px. */
export function sizeAt({ left, top, right, bottom }: Codestream, { across, down }: { across: number; down: number }) {
  return {
    width: Math.ceil(right / across) - Math.ceil(left / across),
    height: Math.ceil(bottom / down) - Math.ceil(top / down),
  };
}

/** The number of reference grid points in the image area. */
export const countPoints = ({ left, top, right, bottom }: Codestream): number => (right - left) * (bottom - top);

/** The samples of all components. */
export const countSamples = (codestream: Codestream): number =>
  codestream.components.reduce((sum, component) => {
    const { width, height } = sizeAt(codestream, component);
    return sum + width * height;
  }, 0);

/** The offset of the first component in SIZ, and the bytes of each component. */
export const [componentsAt, componentBytes] = [42, 3] as const;

const maxComponents = 16_384;
/** Attack: a comment takes seven bytes of the file, and many times that in memory. */
const maxComments = 2000;

/**
 * Reads the size and the components from SIZ, without decoding. Every tile must be complete: OpenJPEG leaves missing
 * data blank.
 * @throws broken-image, RangeError past the end
 */
export function readCodestream(bytes: Uint8Array): Codestream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint16(0) !== markers.soc || view.getUint16(2) !== markers.siz) broken("it does not begin with SIZ");
  const [right, bottom, left, top, tileWidth, tileHeight, tilesLeft, tilesTop] = [8, 12, 16, 20, 24, 28, 32, 36].map(
    (at) => view.getUint32(at),
  ) as [number, number, number, number, number, number, number, number]; // as many as there are offsets
  const count = view.getUint16(40);
  const isSound =
    left < right && top < bottom && tileWidth > 0 && tileHeight > 0 && tilesLeft <= left && tilesTop <= top;
  if (!isSound || count === 0 || count > maxComponents) broken("its size makes no sense");
  const components = Array.from({ length: count }, (_, i): Component => {
    const at = componentsAt + i * componentBytes;
    const depth = view.getUint8(at);
    const [across, down] = [view.getUint8(at + 1), view.getUint8(at + 2)];
    if (across === 0 || down === 0) broken("a component has no distance");
    return { bits: (depth & 0x7f) + 1, isSigned: depth > 0x7f, across, down };
  });
  const tiles = Math.ceil((right - tilesLeft) / tileWidth) * Math.ceil((bottom - tilesTop) / tileHeight);
  return { left, top, right, bottom, components, ...readSegments(bytes, view, tiles) };
}

/** Walks the main header and the tile-parts. Data after the last tile-part is not part of the picture. */
function readSegments(bytes: Uint8Array, view: DataView, tiles: number): Pick<Codestream, "comments" | "end"> {
  const comments: Range[] = [];
  /** By tile: its tile-parts, and the number that it announces (TNsot; 0 if unspecified). */
  const seen = new Map<number, { parts: number; announced: number }>();
  let at = passSegments(view, 2, comments);
  while (at + 2 <= bytes.length && view.getUint16(at) === markers.sot) {
    const { parts, announced } = seen.get(view.getUint16(at + 4)) ?? { parts: 0, announced: 0 };
    seen.set(view.getUint16(at + 4), { parts: parts + 1, announced: Math.max(announced, view.getUint8(at + 11)) });
    const end = tilePartEnd(view, at);
    const dataAt = passSegments(view, at, comments);
    if (end < dataAt || end > bytes.length) broken("a tile-part reaches past the end");
    at = end;
  }
  if (seen.size < tiles) broken(`${tiles - seen.size} of ${tiles} tiles are missing`);
  if ([...seen.values()].some(({ parts, announced }) => parts < announced)) broken("a tile-part is missing");
  return { comments, end: at };
}

/** Skips the segments of the main header up to the first SOT, or those of a tile-part header up to its data. */
function passSegments(view: DataView, start: number, comments: Range[]): number {
  const isTilePart = view.getUint16(start) === markers.sot;
  for (let at = start; ; ) {
    const marker = view.getUint16(at);
    if (isTilePart && marker === markers.sod) return at + 2;
    if (!isTilePart && marker === markers.sot) return at;
    const length = view.getUint16(at + 2);
    if (marker < 0xff00 || length < 2) broken(`a marker is missing at ${at}`);
    // Rcom (the registration value) precedes the text.
    if (marker === markers.com && length > 4) comments.push({ start: at + 6, end: at + 2 + length });
    if (comments.length > maxComments) broken("it has too many comments");
    at += 2 + length;
  }
}

/** Psot of the last tile-part may be 0: it then extends to EOC. */
function tilePartEnd(view: DataView, at: number): number {
  const length = view.getUint32(at + 6);
  if (length > 0) return at + length;
  const end = view.byteLength - 2;
  if (view.getUint16(end) !== markers.eoc) broken("its end is missing");
  return end;
}

/** @throws broken-image always; `cause` goes to the log */
export function broken(cause: string): never {
  throw new DomainError("broken-image", { cause: `JPEG 2000: ${cause}` });
}
