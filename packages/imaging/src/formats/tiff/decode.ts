import { DomainError } from "@tintype/contract";
import { bytesOf, type IntegerSamples } from "../../raster/raster.ts";
import { tiffHeadFor } from "../../raster/tiff-head.ts";
import { convertLab } from "./lab.ts";
import { coloursOf, photometrics, type TiffPicture, type TiffPixels } from "./layout.ts";
import { decodeOldJpeg } from "./old-jpeg.ts";
import { type Ranges, sampleRanges } from "./ranges.ts";
import { sampleFormats, sampleReader } from "./samples.ts";
import { readSegments, type Segment } from "./segments.ts";
import { compressions } from "./unpack.ts";
import { convertYCbCr, subsamplingOf } from "./ycbcr.ts";

/**
 * Decodes the kinds of pixels that libvips reads wrongly or not at all, and gives them as an uncompressed TIFF of 8 or 16 bits
 * that it reads: colour profile, orientation and the meaning of alpha stay.
 * @throws broken-image, cannot-process for samples of a kind that is not read
 */
export async function rewriteTiff(file: Uint8Array, picture: TiffPicture): Promise<{ bytes: Buffer; notes: string[] }> {
  const { pixels, notes } = await decode(file, picture);
  const head = tiffHeadFor({
    width: picture.width,
    height: picture.height,
    channels: pixels.channels,
    depth: pixels.data instanceof Uint16Array ? 16 : 8,
    photometric: pixels.photometric,
    extraSample: pixels.extraSample,
    orientation: picture.orientation,
    profile: isLab(picture) ? undefined : picture.profile, // Lab has become sRGB
  });
  return { bytes: Buffer.concat([head, bytesOf(pixels.data)]), notes };
}

const isLab = ({ photometric }: TiffPicture) =>
  photometric === photometrics.cieLab || photometric === photometrics.iccLab;

type Decoded = { pixels: TiffPixels; notes: string[] };

async function decode(file: Uint8Array, picture: TiffPicture): Promise<Decoded> {
  if (picture.compression === compressions.oldJpeg) return { pixels: await decodeOldJpeg(file, picture), notes: [] };
  if (picture.photometric === photometrics.palette) return { pixels: await decodePalette(file, picture), notes: [] };
  const kept = keptChannels(picture);
  const { ranges, sampleFormat, notes } = await sampleRanges(file, picture);
  const depth = picture.bits > 8 ? 16 : 8;
  const length = picture.width * picture.height * kept.channels;
  const data = depth === 16 ? new Uint16Array(length) : new Uint8Array(length);
  if (isLab(picture)) await decodeLab(file, { picture, kept, data });
  else await fill(file, { picture: { ...picture, sampleFormat }, kept, data, ranges });
  if (picture.photometric === photometrics.yCbCr) convertYCbCr(data, { ...kept, numbers: picture.numbers });
  return { pixels: { data, ...kept, photometric: outputPhotometric(picture) }, notes };
}

function outputPhotometric({ photometric }: TiffPicture): number {
  if (photometric === photometrics.whiteIsZero || photometric === photometrics.blackIsZero)
    return photometrics.blackIsZero;
  return photometric === photometrics.cmyk ? photometrics.cmyk : photometrics.rgb;
}

/** The colours and, where there is one, alpha; other channels are for the programs that wrote them. */
function keptChannels(picture: TiffPicture): { channels: number; extraSample: number | undefined } {
  const { channels, extraSamples } = picture;
  const colours = coloursOf(picture);
  if (channels < colours) throw new DomainError("broken-image", { cause: `TIFF: ${channels} channels` });
  const [extra = 0] = extraSamples;
  // One channel without a meaning counts as alpha, as other readers take it.
  const isAlpha = channels > colours && (extra === 1 || extra === 2 || channels === colours + 1);
  return isAlpha
    ? { channels: colours + 1, extraSample: extra === 1 ? 1 : 2 }
    : { channels: colours, extraSample: undefined };
}

type Kept = { channels: number };
type Filling = { picture: TiffPicture; kept: Kept; data: IntegerSamples };

/** Calls `visit` for each sample of the kept channels with its place among them. */
async function eachSample(
  file: Uint8Array,
  { picture, kept }: Pick<Filling, "picture" | "kept">,
  visit: (sample: { value: number; channel: number; to: number }) => void,
): Promise<void> {
  const read = sampleReader(picture);
  const sample = { value: 0, channel: 0, to: 0 };
  for await (const segment of readSegments(file, picture)) {
    const { left, top, width, height, channels, plane } = segment;
    const first = plane ?? 0;
    const last = plane === undefined ? kept.channels : Math.min(plane + 1, kept.channels);
    for (let y = 0; y < height; y++) {
      const row = rowOf(segment, y);
      for (let x = 0; x < width; x++)
        for (let channel = first; channel < last; channel++) {
          sample.value = read(row, x * channels + channel - first);
          sample.channel = channel;
          sample.to = ((top + y) * picture.width + left + x) * kept.channels + channel;
          visit(sample);
        }
    }
  }
}

const rowOf = ({ bytes, rowBytes }: Segment, y: number): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset + y * rowBytes, rowBytes);

async function fill(file: Uint8Array, { picture, kept, data, ranges }: Filling & { ranges: Ranges }): Promise<void> {
  if (picture.photometric === photometrics.yCbCr) {
    const { across, down } = subsamplingOf(picture);
    if (across > 1 || down > 1) return fillSubsampled(file, { picture, kept, data });
  }
  const full = data instanceof Uint16Array ? 65_535 : 255;
  const isInverted = picture.photometric === photometrics.whiteIsZero;
  const scales = ranges.map(({ low, high }, channel) => {
    const [from, to] = isInverted && channel === 0 ? [high, low] : [low, high];
    return { from, factor: full / (to - from) };
  });
  await eachSample(file, { picture, kept }, ({ value, channel, to }) => {
    const { from, factor } = scales[channel] ?? { from: 0, factor: 1 };
    const scaled = (value - from) * factor + 0.5;
    data[to] = scaled > 0 ? (scaled < full + 0.5 ? scaled : full) : 0; // not a number is black
  });
}

/** TIFF 6.0, section 21: subsampled chroma; each sample covers a rectangle of pixels. */
async function fillSubsampled(file: Uint8Array, { picture, kept, data }: Filling): Promise<void> {
  const { across, down } = subsamplingOf(picture);
  const write = (channel: number, x: number, y: number, value: number) => {
    if (x < picture.width && y < picture.height) data[(y * picture.width + x) * kept.channels + channel] = value;
  };
  for await (const { bytes, left, top, width, height, rowBytes, plane } of readSegments(file, picture)) {
    if (plane !== undefined) {
      const [h, v] = plane === 0 ? [1, 1] : [across, down];
      for (let y = 0; y < height * v; y++)
        for (let x = 0; x < width * h; x++)
          write(plane, left * h + x, top * v + y, bytes[Math.floor(y / v) * rowBytes + Math.floor(x / h)] ?? 0);
      continue;
    }
    const unitBytes = across * down + 2;
    const units = Math.ceil(width / across);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const unit = (Math.floor(y / down) * units + Math.floor(x / across)) * unitBytes;
        write(0, left + x, top + y, bytes[unit + (y % down) * across + (x % across)] ?? 0);
        write(1, left + x, top + y, bytes[unit + unitBytes - 2] ?? 0);
        write(2, left + x, top + y, bytes[unit + unitBytes - 1] ?? 0);
      }
  }
}

async function decodeLab(file: Uint8Array, { picture, kept, data }: Filling): Promise<void> {
  const values = new Float32Array(picture.width * picture.height * kept.channels);
  await eachSample(file, { picture: { ...picture, sampleFormat: labFormat(picture) }, kept }, ({ value, to }) => {
    values[to] = value;
  });
  convertLab(values, { ...kept, ...picture, data });
}

/** Only floating-point samples need to say so: a* and b* are signed in CIELab whatever the tag says. */
const labFormat = ({ sampleFormat }: TiffPicture) =>
  sampleFormat === sampleFormats.floatingPoint ? sampleFormat : sampleFormats.unsigned;

/** The map has all reds, all greens and all blues, of 16 bits; some writers put 8 bits there. */
async function decodePalette(file: Uint8Array, picture: TiffPicture): Promise<TiffPixels> {
  const map = picture.numbers(320);
  const colours = map.length / 3;
  const shift = map.some((value) => value > 255) ? 8 : 0;
  const kept = keptChannels(picture);
  const channels = kept.extraSample === undefined ? 3 : 4;
  const data = new Uint8Array(picture.width * picture.height * channels);
  const fullAlpha = 2 ** picture.bits - 1;
  await eachSample(file, { picture, kept }, ({ value, channel, to }) => {
    const at = Math.floor(to / kept.channels) * channels;
    if (channel > 0) data[at + 3] = (value * 255) / fullAlpha;
    else for (let c = 0; c < 3; c++) data[at + c] = (map[c * colours + value] ?? 0) >> shift;
  });
  return { data, channels, photometric: photometrics.rgb, extraSample: kept.extraSample };
}
