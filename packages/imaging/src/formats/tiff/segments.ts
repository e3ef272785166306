import { DomainError } from "@tintype/contract";
import { decodeJpegSegment } from "./jpeg-segment.ts";
import { photometrics, type TiffPicture } from "./layout.ts";
import { compressions, unpackSegment } from "./unpack.ts";
import { subsamplingOf } from "./ycbcr.ts";

/** A decompressed strip or tile. */
export type Segment = {
  bytes: Uint8Array;
  rowBytes: number;
  /** px: the part inside the picture, or inside a subsampled chroma plane. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Interleaved channels of the segment. */
  channels: number;
  /** The only channel of the segment, for PlanarConfiguration 2; otherwise undefined. */
  plane: number | undefined;
};

/**
 * Decompresses the strips (TIFF 6.0, 3) or tiles (15) of a picture in file order, with FillOrder and Predictor (14)
 * undone.
 * @throws broken-image when one is missing, exceeds the file, or has too few bytes
 */
export async function* readSegments(file: Uint8Array, picture: TiffPicture): AsyncGenerator<Segment> {
  const planes = picture.isPlanar ? picture.channels : 1;
  const { segments } = picture;
  let next = 0;
  for (let plane = 0; plane < planes; plane++) {
    const shape = planeShape(picture, plane);
    for (let top = 0; top < shape.height; top += shape.segmentHeight)
      for (let left = 0; left < shape.width; left += shape.segmentWidth) {
        const place = segments[next++];
        if (!place || place.start < 0 || place.end > file.length || place.end < place.start)
          throw new DomainError("broken-image", { cause: "TIFF: a strip or tile lies outside the file" });
        const rows = picture.isTiled ? shape.segmentHeight : Math.min(shape.segmentHeight, shape.height - top);
        const channels = picture.isPlanar ? 1 : picture.channels;
        const packed = picture.isReversed
          ? reverseBits(file.subarray(place.start, place.end))
          : file.subarray(place.start, place.end);
        yield {
          ...(await unpack(packed, { picture, plane, channels, width: shape.segmentWidth, rows })),
          left,
          top,
          width: Math.min(shape.segmentWidth, shape.width - left),
          height: Math.min(rows, shape.height - top),
          channels,
          plane: picture.isPlanar ? plane : undefined,
        };
      }
  }
}

/** Dimensions of a plane. The chroma planes of planar YCbCr can be subsampled. */
function planeShape(picture: TiffPicture, plane: number) {
  const { width, height, segmentWidth, segmentHeight } = picture;
  const isChroma = picture.isPlanar && picture.photometric === photometrics.yCbCr && (plane === 1 || plane === 2);
  const { across, down } = isChroma ? subsamplingOf(picture) : { across: 1, down: 1 };
  return {
    width: Math.ceil(width / across),
    height: Math.ceil(height / down),
    segmentWidth: Math.ceil(segmentWidth / across),
    segmentHeight: Math.ceil(segmentHeight / down),
  };
}

type UnpackOptions = { picture: TiffPicture; plane: number; channels: number; width: number; rows: number };

async function unpack(packed: Uint8Array, { picture, plane, channels, width, rows }: UnpackOptions) {
  const { compression, predictor, bits, isLittle } = picture;
  if (compression === compressions.jpeg) {
    const { bytes } = await decodeJpegSegment(packed, { picture, channels, width, height: rows, plane });
    return { bytes, rowBytes: width * channels };
  }
  const { rowBytes, sizeBytes } = sizeOf({ picture, plane, channels, width, rows });
  const unpacked = unpackSegment(packed, { compression, sizeBytes });
  if (predictor === 1) return { bytes: unpacked, rowBytes };
  const bytes = Uint8Array.from(unpacked); // a copy: uncompressed data is a view of the file
  undoPredictor(bytes, predictor, { rowBytes, channels, bits, isLittle });
  return { bytes, rowBytes };
}

function sizeOf({ picture, channels, width, rows }: UnpackOptions) {
  const rowBytes = Math.ceil((width * channels * picture.bits) / 8);
  if (picture.photometric !== photometrics.yCbCr || picture.isPlanar) return { rowBytes, sizeBytes: rowBytes * rows };
  const { across, down } = subsamplingOf(picture);
  if (across === 1 && down === 1) return { rowBytes, sizeBytes: rowBytes * rows };
  const unitRowBytes = Math.ceil(width / across) * (across * down + 2);
  return { rowBytes: Math.ceil(unitRowBytes / down), sizeBytes: unitRowBytes * Math.ceil(rows / down) };
}

function reverseBits(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => {
    let reversed = 0;
    for (let bit = 0; bit < 8; bit++) reversed |= ((byte >> bit) & 1) << (7 - bit);
    return reversed;
  });
}

/** The layout of the rows of a strip or tile. */
type Rows = {
  rowBytes: number;
  /** Interleaved channels of a pixel. */
  channels: number;
  bits: number;
  isLittle: boolean;
};

/** Values of Predictor: horizontal differencing (TIFF 6.0, 14), floating point (Adobe's technical note 3). */
const predictors = { none: 1, horizontal: 2, floatingPoint: 3 } as const;

/** Undoes the predictor in place. The samples are then in the file's byte order. */
function undoPredictor(bytes: Uint8Array, predictor: number, rows: Rows): void {
  for (let start = 0; start + rows.rowBytes <= bytes.length; start += rows.rowBytes) {
    const row = bytes.subarray(start, start + rows.rowBytes);
    if (predictor === predictors.horizontal) addDifferences(row, rows);
    else if (predictor === predictors.floatingPoint) joinBytes(row, rows);
  }
}

function addDifferences(row: Uint8Array, { channels, bits, isLittle }: Rows): void {
  if (bits === 8) {
    for (let i = channels; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - channels] ?? 0);
    return;
  }
  const view = new DataView(row.buffer, row.byteOffset, row.byteLength);
  const size = bits / 8;
  const step = channels * size;
  for (let at = step; at + size <= row.length; at += size) {
    if (size === 2) view.setUint16(at, view.getUint16(at, isLittle) + view.getUint16(at - step, isLittle), isLittle);
    else if (size === 4)
      view.setUint32(at, view.getUint32(at, isLittle) + view.getUint32(at - step, isLittle), isLittle);
    else if (size === 8)
      view.setBigUint64(at, view.getBigUint64(at, isLittle) + view.getBigUint64(at - step, isLittle), isLittle);
  }
}

/**
 * Undoes the byte differences, then interleaves the byte planes of a row, which are ordered from most significant to
 * least.
 */
function joinBytes(row: Uint8Array, { channels, bits, isLittle }: Rows): void {
  for (let i = channels; i < row.length; i++) row[i] = (row[i] ?? 0) + (row[i - channels] ?? 0);
  const size = bits / 8;
  const samples = row.length / size;
  const planes = Uint8Array.from(row);
  for (let i = 0; i < samples; i++)
    for (let byte = 0; byte < size; byte++)
      row[i * size + (isLittle ? size - 1 - byte : byte)] = planes[byte * samples + i] ?? 0;
}
