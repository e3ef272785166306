import { formatNamed } from "@tintype/contract";

/**
 * Whether a file may be a picture: by its type, its name's ending, or its first bytes. A coarse sieve that keeps
 * notes and archives out; what a file really is, the server says.
 */
export async function looksLikeImage(file: File): Promise<boolean> {
  if (file.size === 0) return false;
  if (file.type.startsWith("image/") || formatNamed(file.name.split(".").at(-1) ?? "")) return true;
  if (file.type !== "") return false;
  const head = new TextDecoder("latin1").decode(await file.slice(0, 512).arrayBuffer());
  return signatures.some((signature) => signature.test(head));
}

/** JPEG, PNG, GIF, WebP, TIFF, BMP, AVIF and HEIC, SVG; each byte a latin-1 letter. */
const signatures = [
  /^\xff\xd8\xff/,
  /^\x89PNG\r\n/,
  /^GIF8[79]a/,
  /^RIFF[\s\S]{4}WEBP/,
  /^(II\*\0|MM\0\*)/,
  /^BM/,
  /^[\s\S]{4}ftyp(avif|avis|heic|heix|hevc|mif1|msf1)/,
  /<svg[\s>]/i,
];
