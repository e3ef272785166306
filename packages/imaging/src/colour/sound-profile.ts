/**
 * Whether bytes are an ICC profile for RGB (ICC.1, section 7.2): its own size first, "RGB " at 16, "acsp" at 36. One for
 * another kind of pixels, or a broken one, would turn the colours into something else.
 */
export function isRgbProfile(profile: Uint8Array): boolean {
  if (profile.length < 132) return false;
  const said = (at: number) => String.fromCharCode(...profile.subarray(at, at + 4));
  const size = new DataView(profile.buffer, profile.byteOffset).getUint32(0);
  return size <= profile.length && said(16) === "RGB " && said(36) === "acsp";
}
