import { bytesOf, type IntegerSamples } from "@tintype/codecs/raster";
import { DomainError, type Note } from "@tintype/contract";
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
 * Decodes TIFFs (TIFF 6.0, parts 1 and 2) that libvips misreads or does not read, and rewrites them as uncompressed
 * TIFF of 8 or 16 bits per sample. The ICC profile, Orientation and ExtraSamples are kept.
 * @throws broken-image, cannot-process for a sample format that is not supported
 */
export async function rewriteTiff(file: Uint8Array, picture: TiffPicture): Promise<{ bytes: Buffer; notes: Note[] }> {
  const { pixels, notes } = await decode(file, picture);
  const head = tiffHeadFor({
    width: picture.width,
    height: picture.height,
    channels: pixels.channels,
    depth: pixels.data instanceof Uint16Array ? 16 : 8,
    photometric: pixels.photometric,
    extraSample: pixels.extraSample,
    orientation: picture.orientation,
    profile: isLab(picture) ? undefined : picture.profile, // L*a*b* is converted to sRGB
  });
  return { bytes: Buffer.concat([head, bytesOf(pixels.data)]), notes };
}

const isLab = ({ photometric }: TiffPicture) =>
  photometric === photometrics.cieLab || photometric === photometrics.iccLab;

type Decoded = { pixels: TiffPixels; notes: Note[] };

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

/** The colour channels and alpha (ExtraSamples: TIFF 6.0, 18). Other extra samples are dropped. */
function keptChannels(picture: TiffPicture): { channels: number; extraSample: number | undefined } {
  const { channels, extraSamples } = picture;
  const colours = coloursOf(picture);
  if (channels < colours) throw new DomainError("broken-image", { cause: `TIFF: ${channels} channels` });
  const [extra = 0] = extraSamples;
  // A single extra sample of unspecified meaning is treated as unassociated alpha, as other readers do.
  const isAlpha = channels > colours && (extra === 1 || extra === 2 || channels === colours + 1);
  return isAlpha
    ? { channels: colours + 1, extraSample: extra === 1 ? 1 : 2 }
    : { channels: colours, extraSample: undefined };
}

type KeptChannels = { channels: number };
type FillOptions = { picture: TiffPicture; kept: KeptChannels; data: IntegerSamples };

/** Calls `visit` with each sample of the kept channels; `to` is its index in interleaved output. */
async function eachSample(
  file: Uint8Array,
  { picture, kept }: Pick<FillOptions, "picture" | "kept">,
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

async function fill(
  file: Uint8Array,
  { picture, kept, data, ranges }: FillOptions & { ranges: Ranges },
): Promise<void> {
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
    data[to] = scaled > 0 ? (scaled < full + 0.5 ? scaled : full) : 0; // NaN becomes 0
  });
}

/**
 * Subsampled YCbCr (TIFF 6.0, 21): data units of `across` x `down` Y samples, one Cb and one Cr; or planes. No
 * interpolation.
 */
async function fillSubsampled(file: Uint8Array, { picture, kept, data }: FillOptions): Promise<void> {
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

async function decodeLab(file: Uint8Array, { picture, kept, data }: FillOptions): Promise<void> {
  const values = new Float32Array(picture.width * picture.height * kept.channels);
  await eachSample(file, { picture: { ...picture, sampleFormat: labFormat(picture) }, kept }, ({ value, to }) => {
    values[to] = value;
  });
  convertLab(values, { ...kept, ...picture, data });
}

/** Only floating point matters in SampleFormat: `convertLab` handles the sign of a* and b* itself. */
const labFormat = ({ sampleFormat }: TiffPicture) =>
  sampleFormat === sampleFormats.floatingPoint ? sampleFormat : sampleFormats.unsigned;

/** ColorMap (TIFF 6.0, 5) has all reds, then all greens and all blues, in 16 bits. Some writers store 8-bit values. */
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
