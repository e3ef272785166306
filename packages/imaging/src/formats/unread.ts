import { DomainError, formats, inputFormats } from "@tintype/contract";

type Unread = [name: string, ...starts: [at: number, bytes: string][]];

/** Signatures (in Latin-1) of known formats that are not supported. */
const unread: readonly Unread[] = [
  ["a video (Motion JPEG 2000)", [20, "mjp2"]],
  ["a video (Motion JPEG 2000)", [20, "mj2s"]],
  ["a document (JPM)", [20, "jpm "]],
  ["JPEG-LS or another rare kind of JPEG", [0, "\xff\xd8"]],
  ["JPEG XR", [0, "II\xbc"]],
  ["a cursor (CUR)", [0, "\0\0\x02\0"]],
  ["an Apple icon (ICNS)", [0, "icns"]],
  ["OpenEXR", [0, "\x76\x2f\x31\x01"]],
  ["Radiance HDR", [0, "#?RADIANCE"]],
  ["Radiance HDR", [0, "#?RGBE"]],
  ["PostScript", [0, "%!PS"]],
  ["a GIMP file (XCF)", [0, "gimp xcf"]],
  ["a DDS texture", [0, "DDS "]],
  ["QOI", [0, "qoif"]],
  ["BPG", [0, "BPG\xfb"]],
  ["FITS", [0, "SIMPLE  ="]],
  ["DICOM", [128, "DICM"]],
  ["MNG", [0, "\x8aMNG"]],
  ["JNG", [0, "\x8bJNG"]],
  ["an Enhanced Metafile (EMF)", [0, "\x01\0\0\0"], [40, " EMF"]],
  ["a Windows Metafile (WMF)", [0, "\xd7\xcd\xc6\x9a"]],
  ["a camera raw file (RAF)", [0, "FUJIFILMCCD-RAW"]],
  ["a camera raw file (RW2)", [0, "IIU\0"]],
  ["a camera raw file (ORF)", [0, "IIRO"]],
  ["a camera raw file (ORF)", [0, "IIRS"]],
  ["a camera raw file (X3F)", [0, "FOVb"]],
  ["a camera raw file (CRW)", [6, "HEAPCCDR"]],
  ["a camera raw file (CR3)", [4, "ftypcrx "]],
  ["a video", [4, "ftyp"]],
  ["a video", [0, "\x1a\x45\xdf\xa3"]],
  ["a video (AVI)", [0, "RIFF"], [8, "AVI "]],
  ["a gzip archive (a compressed SVG is to be unpacked first)", [0, "\x1f\x8b"]],
  ["a ZIP archive", [0, "PK\x03\x04"]],
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
  const [found] =
    unread.find(([, ...starts]) => starts.every(([at, bytes]) => latin1(head, at, bytes.length) === bytes)) ?? [];
  const name = found ?? (netpbm.test(text) ? "a Netpbm picture" : webPage.test(text) ? "a web page" : undefined);
  if (head.length === 0) return new DomainError("not-an-image", { detail: "The file is empty." });
  return new DomainError("not-an-image", {
    detail: `${name ? `This file is ${name}, which is not supported.` : "This file is not an image we can read."} Send ${accepted}.`,
  });
}

/** ISO 8859-1: one code point for each byte. TextDecoder's "latin1" is Windows-1252. */
const latin1 = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
