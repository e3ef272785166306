import { concatBytes, latin1Bytes } from "../../bytes.ts";
import type { Raster } from "../../raster/raster.ts";
import { endOfImage, markers, startOfImage, writeSegment } from "../segments.ts";
import { type QuantizedPicture, type QuantizeOptions, quantizePicture } from "./quantize-picture.ts";
import { chooseScans, createScanCoder } from "./scans.ts";
import { zigzag } from "./zigzag.ts";

/**
 * A progressive JPEG (ITU-T T.81, annexes B and G; JFIF: ITU-T T.871) of grey or RGB samples, with their ICC profile.
 */
export async function encodePixels(
  picture: Raster<Uint8Array>,
  wanted: QuantizeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const quantized = await quantizePicture(picture, wanted);
  const { estimateBytes, write } = createScanCoder(quantized);
  const parts = [startOfImage, jfif, ...profileSegments(picture.profile), ...frame(quantized)];
  for (const scan of chooseScans(quantized.components.length, estimateBytes)) {
    wanted.signal?.throwIfAborted();
    parts.push(...write(scan));
  }
  return concatBytes([...parts, endOfImage]);
}

/** JFIF APP0 (ITU-T T.871, 10.1): version 1.01, units 0 with an aspect ratio of 1:1, no thumbnail. */
const jfif = writeSegment(markers.app0, [...latin1Bytes("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]);

/** A marker segment's 65,533 bytes of data, less "ICC_PROFILE\0" and two bytes of numbering. */
const mostProfileBytes = 65_519;

/** ICC.1, annex B.4: the profile in numbered APP2 segments. */
function profileSegments(profile: Uint8Array | undefined): Uint8Array[] {
  if (!profile) return [];
  const count = Math.ceil(profile.length / mostProfileBytes);
  return Array.from({ length: count }, (_, i) => {
    const piece = profile.subarray(i * mostProfileBytes, (i + 1) * mostProfileBytes);
    return writeSegment(markers.app2, concatBytes([latin1Bytes("ICC_PROFILE\0"), Uint8Array.of(i + 1, count), piece]));
  });
}

/** DQT and SOF2 (ITU-T T.81, B.2.4.1 and B.2.2). */
function frame({ width, height, isHalved, components }: QuantizedPicture): Uint8Array[] {
  const tables = components.map(({ steps }, i) =>
    writeSegment(markers.dqt, [i, ...zigzag.map((place) => steps[place] as number)]),
  );
  const size = [8, height >> 8, height & 255, width >> 8, width & 255, components.length];
  const factors = components.flatMap((_, i) => [i + 1, i === 0 && isHalved ? 0x22 : 0x11, i]);
  return [...tables, writeSegment(markers.sof2, [...size, ...factors])];
}
