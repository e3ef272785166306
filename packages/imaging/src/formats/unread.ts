import { DomainError, formats, inputFormats } from "@tintype/contract";

type Unread = { name: string; starts: readonly [at: number, bytes: string][] };

/** Signatures (in Latin-1) of known formats that are not supported. */
const unread: readonly Unread[] = [
  { name: "a video (Motion JPEG 2000)", starts: [[20, "mjp2"]] },
  { name: "a video (Motion JPEG 2000)", starts: [[20, "mj2s"]] },
  { name: "a document (JPM)", starts: [[20, "jpm "]] },
  { name: "JPEG-LS or another rare kind of JPEG", starts: [[0, "\xff\xd8"]] },
  { name: "JPEG XR", starts: [[0, "II\xbc"]] },
  { name: "a cursor (CUR)", starts: [[0, "\0\0\x02\0"]] },
  { name: "an Apple icon (ICNS)", starts: [[0, "icns"]] },
  { name: "OpenEXR", starts: [[0, "\x76\x2f\x31\x01"]] },
  { name: "Radiance HDR", starts: [[0, "#?RADIANCE"]] },
  { name: "Radiance HDR", starts: [[0, "#?RGBE"]] },
  { name: "PostScript", starts: [[0, "%!PS"]] },
  { name: "a GIMP file (XCF)", starts: [[0, "gimp xcf"]] },
  { name: "a DDS texture", starts: [[0, "DDS "]] },
  { name: "QOI", starts: [[0, "qoif"]] },
  { name: "BPG", starts: [[0, "BPG\xfb"]] },
  { name: "FITS", starts: [[0, "SIMPLE  ="]] },
  { name: "DICOM", starts: [[128, "DICM"]] },
  { name: "MNG", starts: [[0, "\x8aMNG"]] },
  { name: "JNG", starts: [[0, "\x8bJNG"]] },
  {
    name: "an Enhanced Metafile (EMF)",
    starts: [
      [0, "\x01\0\0\0"],
      [40, " EMF"],
    ],
  },
  { name: "a Windows Metafile (WMF)", starts: [[0, "\xd7\xcd\xc6\x9a"]] },
  { name: "a camera raw file (RAF)", starts: [[0, "FUJIFILMCCD-RAW"]] },
  { name: "a camera raw file (RW2)", starts: [[0, "IIU\0"]] },
  { name: "a camera raw file (ORF)", starts: [[0, "IIRO"]] },
  { name: "a camera raw file (ORF)", starts: [[0, "IIRS"]] },
  { name: "a camera raw file (X3F)", starts: [[0, "FOVb"]] },
  { name: "a camera raw file (CRW)", starts: [[6, "HEAPCCDR"]] },
  { name: "a camera raw file (CR3)", starts: [[4, "ftypcrx "]] },
  { name: "a video", starts: [[4, "ftyp"]] },
  { name: "a video", starts: [[0, "\x1a\x45\xdf\xa3"]] },
  {
    name: "a video (AVI)",
    starts: [
      [0, "RIFF"],
      [8, "AVI "],
    ],
  },
  { name: "a gzip archive (a compressed SVG is to be unpacked first)", starts: [[0, "\x1f\x8b"]] },
  { name: "a ZIP archive", starts: [[0, "PK\x03\x04"]] },
];

/** Netpbm magic numbers: "P", a digit or "F" or "f", then white space or a comment. */
const netpbm = /^P[1-7Ff][\s#]/;
const webPage = /^\s*(?:<!doctype html|<html)/i;

/** The supported formats, as text. */
const accepted = `${inputFormats
  .slice(0, -1)
  .map((format) => formats[format].label)
  .join(", ")} or ${formats[inputFormats.at(-1) ?? "svg"].label}`;

/**
 * The error for a file in no supported format. It names the file's format, if its signature is known, and the supported
 * ones.
 * @param head the file's first bytes, as many as `sniffBytes`
 */
export function refuseUnread(head: Uint8Array): DomainError {
  const text = new TextDecoder("latin1").decode(head.subarray(0, 1024));
  const found = unread.find(({ starts }) => starts.every(([at, bytes]) => latin1(head, at, bytes.length) === bytes));
  const name = found?.name ?? (netpbm.test(text) ? "a Netpbm picture" : webPage.test(text) ? "a web page" : undefined);
  if (head.length === 0) return new DomainError("not-an-image", { detail: "The file is empty." });
  return new DomainError("not-an-image", {
    detail: `${name ? `This file is ${name}, which is not supported.` : "This file is not an image we can read."} Send ${accepted}.`,
  });
}

/** ISO 8859-1: one code point for each byte. TextDecoder's "latin1" is Windows-1252. */
const latin1 = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
