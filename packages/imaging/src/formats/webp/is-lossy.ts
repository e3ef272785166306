/** Of an `ANMF` chunk: the frame's place, size and time, before its own chunks. */
const frameHeadBytes = 16;

/** Whether the first chunk with pixels, of a moving picture its first frame's, is lossy: "VP8 ", and not "VP8L" (WebP container specification). */
export function isLossyWebp(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  for (let at = 12; at + 8 <= head.length; ) {
    const name = String.fromCharCode(...head.subarray(at, at + 4));
    if (name === "VP8 ") return true;
    if (name === "VP8L") return false;
    const size = view.getUint32(at + 4, true);
    at += 8 + (name === "ANMF" ? frameHeadBytes : size + (size & 1));
  }
  return false;
}
