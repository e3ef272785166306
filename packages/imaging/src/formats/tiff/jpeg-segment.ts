import { DomainError } from "@tintype/contract";
import sharp from "sharp";
import { brokenImage } from "../../raster/broken-image.ts";
import { isHarmlessWarning } from "../jpeg/harmless-warnings.ts";
import { photometrics, type TiffPicture } from "./layout.ts";

type JpegSegmentOptions = { picture: TiffPicture; channels: number; width: number; height: number; plane: number };

/** JPEGTables: an abbreviated format for table-specification data (ITU-T T.81, B.5), shared by all strips or tiles. */
const tablesTag = 347;

/**
 * Decodes a JPEG-compressed strip or tile (TIFF technical note 2), cropped to the strip's or tile's size.
 * @throws broken-image
 */
export async function decodeJpegSegment(
  packed: Uint8Array,
  { picture, channels, width, height }: JpegSegmentOptions,
): Promise<{ bytes: Uint8Array }> {
  const tables = picture.bytes(tablesTag);
  const whole = tables && tables.length > 4 ? Buffer.concat([tables.subarray(0, -2), packed.subarray(2)]) : packed;
  const decoded = await decodeJpeg(whole, { channels, isRgb: picture.photometric === photometrics.rgb });
  if (decoded.width < width || decoded.height < height)
    throw new DomainError("broken-image", { cause: "TIFF: a JPEG smaller than its strip or tile" });
  return { bytes: cropRows(decoded, { width, height, channels }) };
}

type Decoded = { data: Uint8Array; width: number; height: number };

/**
 * Decodes a JPEG to grey or RGB samples. `isRgb`: the components are RGB by PhotometricInterpretation, without a marker
 * for it.
 */
export async function decodeJpeg(
  bytes: Uint8Array,
  { channels, isRgb }: { channels: number; isRgb: boolean },
): Promise<Decoded> {
  const input = isRgb && channels === 3 ? withoutTransform(bytes) : bytes;
  const read = (failOn: "warning" | "error") =>
    sharp(input, { limitInputPixels: false, failOn })
      .toColourspace(channels === 1 ? "b-w" : "srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
  const { data, info } = await read("warning")
    .catch((problem: unknown) => {
      if (!isHarmlessWarning(problem)) throw problem;
      return read("error");
    })
    .catch(brokenImage);
  if (info.channels !== channels)
    throw new DomainError("broken-image", { cause: `TIFF: a JPEG of ${info.channels} channels` });
  return { data, width: info.width, height: info.height };
}

/** Inserts Adobe's APP14 with transform 0: the components are RGB. */
const withoutTransform = (bytes: Uint8Array): Uint8Array =>
  Buffer.concat([
    bytes.subarray(0, 2),
    Buffer.from([0xff, 0xee, 0, 14, ...Buffer.from("Adobe"), 0, 100, 0, 0, 0, 0, 0]),
    bytes.subarray(2),
  ]);

function cropRows({ data, width }: Decoded, wanted: { width: number; height: number; channels: number }): Uint8Array {
  const { channels } = wanted;
  if (width === wanted.width) return data.subarray(0, wanted.width * wanted.height * channels);
  const rows = new Uint8Array(wanted.width * wanted.height * channels);
  for (let y = 0; y < wanted.height; y++) {
    const start = y * width * channels;
    rows.set(data.subarray(start, start + wanted.width * channels), y * wanted.width * channels);
  }
  return rows;
}
