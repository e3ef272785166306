import { bytesOf, type IntegerSamples } from "@tintype/codecs/raster";
import { DomainError, type Reason } from "@tintype/contract";
import { resourceIds } from "../../metadata/image-resources.ts";
import { straightAlpha, tiffHeadFor } from "../../raster/tiff-head.ts";
import { convertLab } from "../tiff/lab.ts";
import { photometrics } from "../tiff/layout.ts";
import { compressions, unpackSegment } from "../tiff/unpack.ts";
import { brokenPsd, colourModes, type PsdLayout } from "./layout.ts";

/** Channels of each mode, without alpha. */
const colourCounts: Record<number, number> = {
  [colourModes.bitmap]: 1,
  [colourModes.grey]: 1,
  [colourModes.indexed]: 1,
  [colourModes.rgb]: 3,
  [colourModes.cmyk]: 4,
  [colourModes.duotone]: 1,
  [colourModes.lab]: 3,
};

/** @throws cannot-process, naming the unsupported feature */
export function checkPsd({ mode, depth, channels, lacksPicture, palette, resources }: PsdLayout): void {
  const colours = colourCounts[mode];
  if (colours === undefined)
    refuse(mode === colourModes.multichannel ? { code: "psd-multichannel" } : { code: "psd-mode", mode });
  if (depth === 32) refuse({ code: "psd-32-bits" });
  const isKnownDepth = mode === colourModes.bitmap ? depth === 1 : depth === 8 || depth === 16;
  if (!isKnownDepth || channels < colours) brokenPsd(`${channels} channels of ${depth} bits in mode ${mode}`);
  if (mode === colourModes.indexed && palette.length < 768) brokenPsd("its palette is cut off");
  const [spot] = spotColours(resources);
  if (spot !== undefined) refuse({ code: "psd-spot-colour", colour: spot });
  if (lacksPicture) refuse({ code: "psd-not-merged" });
}

/** "DisplayInfo": a version, then 13 bytes a channel beyond the colours; the old form has 14. The kind is at 12. */
const channelInfo = { headBytes: 4, bytes: 13, oldBytes: 14, kindAt: 12, spot: 2 };

/**
 * The channels that are inks of their own, by name or else by number, from 1. The merged image leaves them out of its
 * colours.
 */
function spotColours(resources: PsdLayout["resources"]): (string | number)[] {
  const old = resources.get(resourceIds.oldChannelKinds);
  const kinds = resources.get(resourceIds.channelKinds)?.subarray(channelInfo.headBytes) ?? old ?? new Uint8Array();
  const step = resources.has(resourceIds.channelKinds) ? channelInfo.bytes : channelInfo.oldBytes;
  const names = pascalStrings(resources.get(resourceIds.channelNames) ?? new Uint8Array());
  return Array.from({ length: Math.floor(kinds.length / step) }, (_, i) => i)
    .filter((i) => kinds[i * step + channelInfo.kindAt] === channelInfo.spot)
    .map((i) => names[i] || i + 1);
}

/** Each has its length first. */
function pascalStrings(data: Uint8Array): string[] {
  const texts: string[] = [];
  for (let at = 0; at < data.length; at += 1 + (data[at] ?? 0)) {
    const text = Buffer.from(data.subarray(at + 1, at + 1 + (data[at] ?? 0))).toString("latin1");
    texts.push(text.replace(/[^\x20-\x7e\xa0-\xff]/g, "?"));
  }
  return texts;
}

function refuse(reason: Reason): never {
  throw new DomainError("cannot-process", { reason });
}

/**
 * The merged image as an uncompressed TIFF, which libvips reads with its profile, CMYK included. Photoshop blends the
 * transparent parts of a merged image with white: this is undone.
 * @throws broken-image, cannot-process
 */
export function rewritePsd(file: Uint8Array, layout: PsdLayout): Buffer {
  const { width, height, mode, depth, hasTransparency, channels: stored } = layout;
  const colours = colourCounts[mode] ?? 0;
  const hasAlpha = hasTransparency && stored > colours && mode !== colourModes.indexed && mode !== colourModes.bitmap;
  const kept = colours + (hasAlpha ? 1 : 0);
  const isDeep = depth === 16 && mode !== colourModes.cmyk; // it becomes 8-bit sRGB
  const data = isDeep ? new Uint16Array(width * height * kept) : new Uint8Array(width * height * kept);
  readPlanes(file, layout, { kept, data });
  if (mode === colourModes.indexed) return indexedTiff(layout, data);
  if (mode === colourModes.cmyk) invertInk(data, kept);
  if (mode === colourModes.lab) {
    const lab = { channels: kept, photometric: photometrics.iccLab, bits: depth, sampleFormat: 1, data };
    convertLab(Float32Array.from(data), lab);
  }
  if (hasAlpha) takeOutWhite(data, kept, mode === colourModes.cmyk);
  const head = tiffHeadFor({
    width,
    height,
    channels: kept,
    depth: isDeep ? 16 : 8,
    photometric: colours === 4 ? photometrics.cmyk : colours === 3 ? photometrics.rgb : photometrics.blackIsZero,
    extraSample: hasAlpha ? straightAlpha : undefined,
    profile: mode === colourModes.lab || mode === colourModes.duotone ? undefined : profileOf(layout),
  });
  return Buffer.concat([head, bytesOf(data)]);
}

const profileOf = ({ resources }: PsdLayout) => resources.get(resourceIds.profile);

type Planes = { kept: number; data: IntegerSamples };

/** "Image Data Section": planar, uncompressed or each row by PackBits. */
function readPlanes(file: Uint8Array, layout: PsdLayout, { kept, data }: Planes): void {
  const { width, height, depth, channels, mode, pictureAt, isBig } = layout;
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const compression = view.getUint16(pictureAt);
  if (compression > 1) refuse({ code: "psd-compression", compression });
  const rowBytes = Math.ceil((width * depth) / 8);
  const countBytes = isBig ? 4 : 2;
  let countAt = pictureAt + 2;
  let at = countAt + (compression === 1 ? channels * height * countBytes : 0);
  for (let channel = 0; channel < kept; channel++)
    for (let y = 0; y < height; y++) {
      const length = compression === 0 ? rowBytes : isBig ? view.getUint32(countAt) : view.getUint16(countAt);
      countAt += countBytes;
      if (at + length > file.length) brokenPsd("the file is shorter than its picture");
      const packed = file.subarray(at, at + length);
      const row =
        compression === 0 ? packed : unpackSegment(packed, { compression: compressions.packBits, sizeBytes: rowBytes });
      at += length;
      if (mode === colourModes.bitmap) fillBits(row, data, y * width, width);
      else fillRow(row, { depth, data, to: y * width * kept + channel, step: kept });
    }
}

/** A set bit is black. */
function fillBits(row: Uint8Array, data: IntegerSamples, to: number, width: number): void {
  for (let x = 0; x < width; x++) data[to + x] = ((row[x >> 3] ?? 0) >> (7 - (x & 7))) & 1 ? 0 : 255;
}

type RowFillOptions = { depth: number; data: IntegerSamples; to: number; step: number };

/** 16-bit samples are big-endian; reduced to 8 bits, only their high byte is kept. */
function fillRow(row: Uint8Array, { depth, data, to, step }: RowFillOptions): void {
  if (depth === 8) for (let i = 0, at = to; i < row.length; i++, at += step) data[at] = row[i] ?? 0;
  else if (data instanceof Uint16Array)
    for (let i = 0, at = to; i < row.length; i += 2, at += step) data[at] = ((row[i] ?? 0) << 8) | (row[i + 1] ?? 0);
  else for (let i = 0, at = to; i < row.length; i += 2, at += step) data[at] = row[i] ?? 0;
}

/** Photoshop stores CMYK inverted compared with TIFF. */
function invertInk(data: IntegerSamples, channels: number): void {
  for (let i = 0; i < data.length; i += channels) for (let c = i; c < i + 4; c++) data[c] = 255 - (data[c] ?? 0);
}

/** Undoes the blending with white, in place. White is full scale, or no ink. */
function takeOutWhite(data: IntegerSamples, channels: number, isInk: boolean): void {
  const full = data instanceof Uint16Array ? 65_535 : 255;
  const white = isInk ? 0 : full;
  for (let i = 0; i < data.length; i += channels) {
    const alpha = (data[i + channels - 1] ?? 0) / full;
    if (alpha === 0 || alpha === 1) continue;
    for (let c = i; c < i + channels - 1; c++)
      data[c] = Math.max(0, Math.min(full, Math.round(((data[c] ?? 0) - white * (1 - alpha)) / alpha)));
  }
}

function indexedTiff(layout: PsdLayout, indices: IntegerSamples): Buffer {
  const { width, height, palette, resources } = layout;
  const entry = resources.get(resourceIds.transparentIndex);
  const clear = entry && entry.length >= 2 ? (entry[0] ?? 0) * 256 + (entry[1] ?? 0) : undefined;
  const channels = clear === undefined ? 3 : 4;
  const data = new Uint8Array(indices.length * channels);
  for (let i = 0, to = 0; i < indices.length; i++, to += channels) {
    const index = indices[i] ?? 0;
    for (let c = 0; c < 3; c++) data[to + c] = palette[c * 256 + index] ?? 0;
    if (clear !== undefined) data[to + 3] = index === clear ? 0 : 255;
  }
  const extraSample = clear === undefined ? undefined : straightAlpha;
  const head = tiffHeadFor({
    ...{ width, height, channels, depth: 8, photometric: photometrics.rgb, extraSample },
    profile: profileOf(layout),
  });
  return Buffer.concat([head, data]);
}
