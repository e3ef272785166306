import { frameSize, headerSegments, isFrame, markers, nextMarker, segmentAt } from "@tintype/codecs/jpeg";

/** Define Number of Lines (ITU-T T.81, B.2.5). */
const dnl = 0xdc;
/** The offset of Y in a frame header after its marker: a length of two bytes and a precision of one (B.2.2). */
const heightAt = 2 + 2 + 1;

/**
 * A JPEG whose frame header leaves the height to the DNL segment after the first scan, with the height in that header:
 * scanners that feed paper know it only at the end, and libjpeg reads no DNL. Undefined for all other files.
 */
export function withDefinedHeight(bytes: Uint8Array): Buffer | undefined {
  let frameAt: number | undefined;
  for (const { marker, data, start, end } of headerSegments(bytes)) {
    if (isFrame(marker)) {
      if (frameSize(data)?.height !== 0) return undefined;
      frameAt = end - data.length - 2 - 2;
    }
    if (marker !== markers.sos || frameAt === undefined || start < frameAt) continue;
    const lines = segmentAt(bytes, nextMarker(bytes, end));
    if (lines?.marker !== dnl || lines.data.length !== 2) return undefined;
    const copy = Buffer.from(bytes);
    copy.set(lines.data, frameAt + heightAt);
    return Buffer.concat([copy.subarray(0, lines.start), copy.subarray(lines.end)]);
  }
  return undefined;
}
