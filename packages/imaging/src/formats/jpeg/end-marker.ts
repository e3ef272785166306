import { endOfImage, isFrame, markers, nextMarker, segmentAt } from "@tintype/codecs/jpeg";

/**
 * Appends EOI (ITU-T T.81, B.2.1) to a JPEG that lacks only this marker; undefined for all other files. A decoder then
 * accepts a complete last scan. One that is cut off is found by `lacksScanData` or by the decoder.
 */
export function withEndMarker(bytes: Buffer): Uint8Array | undefined {
  const hasMarker = bytes.subarray(-2).equals(endOfImage);
  return !hasMarker && lacksEndAlone(bytes) ? Buffer.concat([bytes, endOfImage]) : undefined;
}

/** Whether the file ends in the entropy-coded data of the scan that completes the picture. */
function lacksEndAlone(bytes: Buffer): boolean {
  const scans = createScans();
  for (let at = 2; ; ) {
    const segment = segmentAt(bytes, at);
    if (!segment || segment.marker === markers.eoi) return false;
    const { marker, data } = segment;
    at = segment.end;
    if (isFrame(marker)) scans.begin({ isProgressive: (marker & 3) === 2, body: data });
    if (marker !== markers.sos) continue;
    scans.add(data);
    at = nextMarker(bytes, at);
    if (at === bytes.length) return scans.areComplete();
  }
}

/** Tracks which coefficients of each component are coded down to Al = 0 (ITU-T T.81, B.2.3 and G.1.1.1). */
function createScans() {
  let isProgressive = false;
  const pending = new Map<number, Set<number>>();
  return {
    begin(frame: { isProgressive: boolean; body: Uint8Array }) {
      isProgressive = frame.isProgressive;
      pending.clear();
      const components = frame.body[5] ?? 0;
      for (let i = 0; i < components; i++)
        pending.set(frame.body[6 + 3 * i] ?? 0, new Set(Array.from({ length: 64 }, (_, k) => k)));
    },
    add(body: Uint8Array) {
      const components = body[0] ?? 0;
      const [first = 0, last = 63, bits = 0] = body.subarray(1 + 2 * components);
      for (let i = 0; i < components; i++) {
        const coefficients = pending.get(body[1 + 2 * i] ?? 0);
        if (!isProgressive) coefficients?.clear();
        else if ((bits & 15) === 0) for (let k = first; k <= last; k++) coefficients?.delete(k);
      }
    },
    areComplete: () => pending.size > 0 && [...pending.values()].every((coefficients) => coefficients.size === 0),
  };
}
