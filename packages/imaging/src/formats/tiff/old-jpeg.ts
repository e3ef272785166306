import { frameSize, headerSegments, markers, writeSegment } from "@tintype/codecs/jpeg";
import { DomainError } from "@tintype/contract";
import { decodeJpeg } from "./jpeg-segment.ts";
import { photometrics, type TiffPicture, type TiffPixels } from "./layout.ts";

const tags = {
  interchange: 513,
  interchangeLength: 514,
  restartInterval: 515,
  quantization: 519,
  dc: 520,
  ac: 521,
  subsampling: 530,
} as const;

/**
 * Decodes old-style JPEG (TIFF 6.0, 22): a JPEG at JPEGInterchangeFormat, or tables by offsets and entropy-coded data
 * in strips or tiles. Writers implemented the section differently, and technical note 2 superseded it.
 * @throws broken-image
 */
export async function decodeOldJpeg(file: Uint8Array, picture: TiffPicture): Promise<TiffPixels> {
  const { width, height } = picture;
  const channels = picture.channels === 1 ? 1 : 3;
  const data = new Uint8Array(width * height * channels);
  const isRgb = picture.photometric === photometrics.rgb;
  for (const part of partsOf(file, picture)) {
    const decoded = await decodeJpeg(part.jpeg, { channels, isRgb });
    const [across, down] = [Math.min(decoded.width, width - part.left), Math.min(decoded.height, height - part.top)];
    for (let y = 0; y < down; y++) {
      const start = y * decoded.width * channels;
      const to = ((part.top + y) * width + part.left) * channels;
      data.set(decoded.data.subarray(start, start + across * channels), to);
    }
  }
  const photometric = channels === 3 ? photometrics.rgb : photometrics.blackIsZero;
  return { data, channels, photometric, extraSample: undefined };
}

type Part = { jpeg: Uint8Array; left: number; top: number };

function partsOf(file: Uint8Array, picture: TiffPicture): Part[] {
  const whole = interchangeOf(file, picture);
  const frame = whole && frameOf(whole);
  if (whole && frame?.hasScan && frame.width >= picture.width && frame.height >= picture.height)
    return [{ jpeg: withEnd(whole), left: 0, top: 0 }];
  const { width, height, segmentWidth, segmentHeight, isTiled, segments } = picture;
  const parts: Part[] = [];
  for (let top = 0; top < height; top += segmentHeight)
    for (let left = 0; left < width; left += segmentWidth) {
      const place = segments[parts.length];
      if (!place || place.start < 0 || place.end > file.length || place.end <= place.start)
        throw new DomainError("broken-image", { cause: "TIFF: a strip or tile lies outside the file" });
      const scan = file.subarray(place.start, place.end);
      const rows = isTiled ? segmentHeight : Math.min(segmentHeight, height - top);
      const isJpeg = scan[0] === 0xff && scan[1] === 0xd8;
      const head = isJpeg ? new Uint8Array() : headFor(file, { picture, width: segmentWidth, height: rows });
      parts.push({ jpeg: withEnd(Buffer.concat([head, scan])), left, top });
    }
  return parts;
}

function interchangeOf(file: Uint8Array, { numbers }: TiffPicture): Uint8Array | undefined {
  const [start = 0] = numbers(tags.interchange);
  const [length = 0] = numbers(tags.interchangeLength);
  if (start === 0 || file[start] !== 0xff || file[start + 1] !== 0xd8) return undefined;
  // For some writers the length covers only the tables before the scan.
  return file.subarray(start, length > 0 ? Math.min(start + length, file.length) : file.length);
}

/** The size in the frame header (SOF0 to SOF2), and whether a scan with data follows. */
function frameOf(jpeg: Uint8Array): { width: number; height: number; hasScan: boolean } | undefined {
  let size: { width: number; height: number } | undefined;
  for (const { marker, data, end } of headerSegments(jpeg)) {
    if (marker >= markers.sof0 && marker <= markers.sof2) size = frameSize(data);
    if (marker === markers.sos)
      return size && { ...size, hasScan: jpeg.length - end > 2 && jpeg[end + 1] !== markers.eoi };
  }
  return size && { ...size, hasScan: false };
}

/** Appends EOI if it is missing. */
const withEnd = (jpeg: Uint8Array): Uint8Array =>
  jpeg.at(-2) === 0xff && jpeg.at(-1) === 0xd9 ? jpeg : Buffer.concat([jpeg, Uint8Array.of(0xff, 0xd9)]);

type Head = { picture: TiffPicture; width: number; height: number };

/** SOI, DQT, DHT, SOF0, DRI and SOS (ITU-T T.81, annex B) from the tables that the tags point to. */
function headFor(file: Uint8Array, { picture, width, height }: Head): Uint8Array {
  const { numbers, channels, photometric } = picture;
  const components = Array.from({ length: channels === 1 ? 1 : 3 }, (_, i) => i);
  const tables = (tag: number) => components.map((i) => numbers(tag)[i] ?? numbers(tag)[0] ?? 0);
  const [across = 2, down = 2] = numbers(tags.subsampling);
  const isSubsampled = photometric === photometrics.yCbCr && components.length === 3;
  const sampling = (i: number) => (i === 0 && isSubsampled ? (across << 4) | down : 0x11);
  const word = (value: number) => [value >> 8, value & 255];
  const [restart = 0] = numbers(tags.restartInterval);
  return Buffer.concat([
    Uint8Array.of(0xff, markers.soi),
    ...tables(tags.quantization).map((at, i) => writeSegment(markers.dqt, [i, ...bytesAt(file, { at, length: 64 })])),
    ...tables(tags.dc).map((at, i) => writeSegment(markers.dht, [i, ...huffmanAt(file, at)])),
    ...tables(tags.ac).map((at, i) => writeSegment(markers.dht, [0x10 | i, ...huffmanAt(file, at)])),
    writeSegment(markers.sof0, [
      8,
      ...word(height),
      ...word(width),
      components.length,
      ...components.flatMap((i) => [i + 1, sampling(i), i]),
    ]),
    ...(restart > 0 ? [writeSegment(markers.dri, word(restart))] : []),
    writeSegment(markers.sos, [components.length, ...components.flatMap((i) => [i + 1, (i << 4) | i]), 0, 63, 0]),
  ]);
}

function bytesAt(file: Uint8Array, { at, length }: { at: number; length: number }): Uint8Array {
  if (at <= 0 || at + length > file.length)
    throw new DomainError("broken-image", { cause: "TIFF: a table of its JPEG lies outside the file" });
  return file.subarray(at, at + length);
}

/** BITS (16 counts of code lengths) and HUFFVAL (ITU-T T.81, B.2.4.2). */
function huffmanAt(file: Uint8Array, at: number): Uint8Array {
  const symbols = bytesAt(file, { at, length: 16 }).reduce((sum, count) => sum + count, 0);
  return bytesAt(file, { at, length: 16 + symbols });
}
