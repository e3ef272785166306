import { isHighRange, isRgbProfile, profileOf } from "@tintype/codecs/colour";
import { fullScale, hasAlpha, type Raster } from "@tintype/codecs/raster";
import { DomainError, type Note } from "@tintype/contract";
import sharp from "sharp";
import { brokenImage } from "../../raster/broken-image.ts";
import { readPicture } from "../../raster/read-picture.ts";
import { checkPixels } from "../limits.ts";
import { openRaster } from "../open-raster.ts";
import { openWithLibvips } from "../open-with-libvips.ts";
import type { FileOpenOptions, Source } from "../source.ts";
import { fourCharacters, readBoxes } from "./boxes.ts";
import { decodeHeif } from "./decode.ts";
import { type HeifFacts, readHeifFacts } from "./facts.ts";
import { unmultiply } from "./unmultiply.ts";

/**
 * Opens a HEIF by its coding format, not by its brand: AV1 is decoded by libvips, HEVC by libheif in WebAssembly, never
 * by libvips. Orientation comes from its transformative properties; EXIF orientation is ignored.
 */
export async function openHeif({ file, limits }: FileOpenOptions): Promise<Source> {
  const bytes = await file.bytes();
  const facts = readHeifFacts(bytes);
  const { codec } = facts;
  checkPixels(facts, limits);
  // Tiles extend past the edge, but not by the size of the whole picture; a small picture may have tiles of 512 px.
  if (facts.codedPixels > 2 * facts.width * facts.height) checkPixels({ width: facts.codedPixels, height: 1 }, limits);
  if (codec === "av01") return openAvif({ file, limits, bytes, facts });
  if (codec === "hvc1" || codec === "hev1") return openHeic({ file, limits, bytes, facts });
  throw new DomainError("cannot-process", { reason: { code: "heif-codec", codec: codec.trim() } });
}

type Opened = FileOpenOptions & { bytes: Uint8Array; facts: HeifFacts };

function notesOf({ pictures, hasTrack, codePoints, profile }: HeifFacts): Note[] {
  return [
    ...(pictures > 1 ? [{ code: "main-picture-kept", pictures } as const] : []),
    ...(hasTrack ? [{ code: "video-left-out" } as const] : []),
    ...(!profile && codePoints && isHighRange(codePoints) ? [{ code: "high-range-reduced" } as const] : []),
  ];
}

const profileFor = ({ profile, codePoints }: HeifFacts): Uint8Array | undefined =>
  profile && isRgbProfile(profile) ? profile : codePoints && profileOf(codePoints);

async function openHeic({ file, bytes, facts, limits }: Opened): Promise<Source> {
  const { bitsPerChannel, pictures } = facts;
  for (const { extents, lengthBytes } of facts.coded)
    checkNalUnits(Buffer.concat(extents.map(({ start, end }) => bytes.subarray(start, end))), lengthBytes);
  const pixels = await decodeHeif(asStill(bytes), { bitsPerChannel, maxPixels: 2 * limits.megapixelsIn * 1e6 });
  checkPixels(pixels, limits); // the coded picture may be larger than the header claims
  if (facts.isLimitedGrey) expandRange(pixels);
  const profile = profileFor(facts);
  return openRaster(
    { ...pixels, ...(profile ? { profile } : {}) },
    { file, format: "heic", pages: pictures, notes: notesOf(facts) },
  );
}

async function openAvif({ file, bytes, facts, limits }: Opened): Promise<Source> {
  const notes = notesOf(facts);
  const input = asStill(bytes);
  if (facts.isTiled) await checkTiles(input, facts);
  const source = await openWithLibvips({
    file,
    limits,
    format: "avif",
    notes,
    ...(input === bytes ? {} : { input }),
  });
  const profile = source.isGrey ? undefined : profileFor(facts);
  const isMultiplied = facts.isPremultiplied && source.hasAlpha;
  if (!isMultiplied && !facts.isLimitedGrey && (!profile || source.hasProfile)) return source;
  // libvips ignores code points, premultiplied alpha and limited-range grey, and sharp has no option to assign the
  // input's profile.
  const pixels = await decodeAvif(input, source.depth);
  if (facts.isLimitedGrey) expandRange(pixels);
  if (isMultiplied) unmultiply(pixels.data);
  return openRaster({ ...pixels, profile }, { file, format: "avif", pages: facts.pictures, notes });
}

/**
 * libheif leaves a tile that it cannot decode blank, and libvips does not enable strict decoding. On its own, as the
 * primary image of a copy of the file, each tile must decode.
 * @throws broken-image
 */
async function checkTiles(bytes: Uint8Array, { coded }: HeifFacts): Promise<void> {
  for (const item of coded)
    await sharp(withPrimary(bytes, item), { limitInputPixels: false, failOn: "error" })
      .raw()
      .toBuffer()
      .catch(brokenImage);
}

/**
 * A copy of an image sequence as its still image alone: libheif would read the track too, and refuse the file for what
 * it does not know there. Its brands become those of still images; libvips detects AVIF by the major one.
 */
function asStill(bytes: Uint8Array): Uint8Array {
  const boxes = readBoxes(bytes, 0, bytes.length);
  const tracks = boxes.filter(({ type }) => type === "moov");
  const brands = boxes.find(({ type }) => type === "ftyp");
  if (tracks.length === 0 && fourCharacters(bytes, 8) !== "avis") return bytes;
  const copy = Uint8Array.from(bytes);
  const write = (text: string, at: number) => copy.set(new TextEncoder().encode(text), at);
  // The type follows the size of 32 bits, or precedes one of 64 (ISO/IEC 14496-12, 4.2.2).
  for (const { start } of tracks) write("free", start + 4);
  for (let at = brands?.body ?? 0; at + 4 <= (brands?.end ?? 0); at += 4) {
    const still = stillBrands[fourCharacters(bytes, at)];
    if (still) write(still, at);
  }
  return copy;
}

/** ISO/IEC 23008-12, 10, and the AVIF specification, 6. */
const stillBrands: Record<string, string> = { avis: "avif", msf1: "mif1", hevc: "heic", hevx: "heix" };

/** A copy whose primary image is this item, no longer hidden. */
export function withPrimary(bytes: Uint8Array, { id, flagsAt }: { id: number; flagsAt: number }): Uint8Array {
  const meta = readBoxes(bytes, 0, bytes.length).find(({ type }) => type === "meta");
  const pitm = meta && readBoxes(bytes, meta.body + 4, meta.end).find(({ type }) => type === "pitm");
  if (!pitm) throw new DomainError("broken-image", { cause: "HEIF: no main picture" });
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  // ISO/IEC 14496-12, 8.11.4: an id of 16 bits in version 0, of 32 in later ones.
  if (copy[pitm.body] === 0) view.setUint16(pitm.body + 4, id);
  else view.setUint32(pitm.body + 4, id);
  copy[flagsAt] = (copy[flagsAt] ?? 0) & 0xfe;
  return copy;
}

function decodeAvif(bytes: Uint8Array, depth: 8 | 16): Promise<Raster> {
  const image = sharp(bytes, { limitInputPixels: false, failOn: "error", ignoreIcc: true });
  const space = depth === 16 ? "rgb16" : "srgb";
  return readPicture(image.toColourspace(space), { depth, isGrey: false, hasAlpha: false });
}

/** ITU-R BT.2100, table 9: black and white of limited range, of 255. */
const [limitedBlack, limitedWhite] = [16, 235];

/** Expands limited range to full range in place, alpha excepted. libheif does so for colour, but not for grey. */
function expandRange({ data, channels }: Raster): void {
  const full = fullScale(data);
  // Deeper samples are left-aligned in 16 bits: black and white are 256 times those of 8 bits.
  const [low, high] = full === 255 ? [limitedBlack, limitedWhite] : [limitedBlack * 256, limitedWhite * 256];
  const factor = full / (high - low);
  const colours = hasAlpha(channels) ? channels - 1 : channels;
  for (let i = 0; i < data.length; i += channels)
    for (let c = i; c < i + colours; c++)
      data[c] = Math.max(0, Math.min(full, Math.round(((data[c] ?? 0) - low) * factor)));
}

/**
 * Checks the structure of an HEVC picture (ISO/IEC 14496-15, 8.3.3: length-prefixed NAL units), since libde265 conceals
 * errors and reports none. Within a unit two zero bytes must be followed by 3 or more (ITU-T H.265, 7.4.2), so a run of
 * zeros, as an interrupted transfer leaves it, is invalid.
 * @param lengthBytes of each unit's length
 * @throws broken-image
 */
function checkNalUnits(bytes: Uint8Array, lengthBytes: number): void {
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + i] ?? 0);
    const start = at + lengthBytes;
    if (length === 0 || start + length > bytes.length) refuse("a NAL unit reaches past its item");
    if (hasForbiddenZeros(bytes.subarray(start, start + length))) refuse("zeros within a NAL unit");
    at = start + length;
  }
}

function hasForbiddenZeros(unit: Uint8Array): boolean {
  for (let at = unit.indexOf(0); at >= 0 && at + 2 < unit.length; at = unit.indexOf(0, at + 1))
    if (unit[at + 1] === 0 && (unit[at + 2] ?? 0) < 3) return true;
  return false;
}

function refuse(cause: string): never {
  throw new DomainError("broken-image", { cause: `HEVC: ${cause}` });
}
