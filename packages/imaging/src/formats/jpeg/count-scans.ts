import { isFrame, isStandalone, markers } from "@tintype/codecs/jpeg";
import { DomainError } from "@tintype/contract";
import type { ReadBytes } from "../byte-window.ts";

/**
 * The limit against decompression bombs. A scan of 25 bytes can leave every coefficient of a progressive JPEG
 * unchanged, yet the decoder visits every block: 880 scans of 25 megapixels, 86 KB, took 24 s. Encoders write about 10
 * scans; jpegtran accepts scripts of up to 100.
 */
const mostScans = 100;

/** SOF0 and SOF1. In a sequential frame, libjpeg ends after a first scan that has all components. */
const sequentialFrames = [0xc0, 0xc1];

/**
 * Counts the SOS markers (ITU-T T.81, B.2.3). For a sequential frame whose first scan has all components, as cameras
 * write it, the check ends at that scan's header: searching 4 MB of entropy-coded data took 8 ms.
 * @throws cannot-process for a JPEG of more than `mostScans` scans
 */
export async function checkJpegScans(read: ReadBytes): Promise<void> {
  let scans = 0;
  let sequentialComponents = 0;
  for (let at: number | undefined = 2; at !== undefined; ) {
    const head = await read(at, 4);
    const marker = head[1];
    if (head.length < 4 || marker === markers.eoi) return;
    if (head[0] !== 0xff || marker === undefined || hasNoLength(marker)) {
      at = await nextMarker(read, at + 1); // decoders resynchronize at the next marker
      continue;
    }
    const end: number = at + 2 + head.readUInt16BE(2);
    if (sequentialFrames.includes(marker)) sequentialComponents = (await read(at + 9, 1))[0] ?? 0;
    else if (isFrame(marker)) sequentialComponents = 0;
    if (marker === markers.sos && scans === 0 && (await read(at + 4, 1))[0] === sequentialComponents) return;
    if (marker === markers.sos && ++scans > mostScans)
      throw new DomainError("cannot-process", { reason: { code: "jpeg-scans", limit: mostScans } });
    at = marker === markers.sos ? await nextMarker(read, end) : end;
  }
}

const hasNoLength = (marker: number) => marker === 0xff || marker === 0 || isStandalone(marker);
const readAtOnce = 65_536;

/** The next marker other than RSTm. Entropy-coded data has X'00' stuffed after each X'FF' (ITU-T T.81, F.1.2.3). */
async function nextMarker(read: ReadBytes, from: number): Promise<number | undefined> {
  for (let start = from; ; start += readAtOnce - 1) {
    const bytes = await read(start, readAtOnce);
    for (let i = bytes.indexOf(0xff); i >= 0 && i + 1 < bytes.length; i = bytes.indexOf(0xff, i + 1))
      if (!hasNoLength(bytes[i + 1] as number)) return start + i;
    if (bytes.length < readAtOnce) return undefined;
  }
}
