import { DomainError, type UnreadKind } from "@tintype/contract";

type Unread = [kind: UnreadKind, ...starts: [at: number, bytes: string][]];

/** Signatures (in Latin-1) of known formats that are not supported. */
const unread: readonly Unread[] = [
  ["motion-jpeg-2000", [20, "mjp2"]],
  ["motion-jpeg-2000", [20, "mj2s"]],
  ["jpm", [20, "jpm "]],
  ["rare-jpeg", [0, "\xff\xd8"]],
  ["jpeg-xr", [0, "II\xbc"]],
  ["cursor", [0, "\0\0\x02\0"]],
  ["icns", [0, "icns"]],
  ["openexr", [0, "\x76\x2f\x31\x01"]],
  ["radiance-hdr", [0, "#?RADIANCE"]],
  ["radiance-hdr", [0, "#?RGBE"]],
  ["postscript", [0, "%!PS"]],
  ["gimp", [0, "gimp xcf"]],
  ["dds", [0, "DDS "]],
  ["qoi", [0, "qoif"]],
  ["bpg", [0, "BPG\xfb"]],
  ["fits", [0, "SIMPLE  ="]],
  ["dicom", [128, "DICM"]],
  ["mng", [0, "\x8aMNG"]],
  ["jng", [0, "\x8bJNG"]],
  ["emf", [0, "\x01\0\0\0"], [40, " EMF"]],
  ["wmf", [0, "\xd7\xcd\xc6\x9a"]],
  ["raf", [0, "FUJIFILMCCD-RAW"]],
  ["rw2", [0, "IIU\0"]],
  ["orf", [0, "IIRO"]],
  ["orf", [0, "IIRS"]],
  ["x3f", [0, "FOVb"]],
  ["crw", [6, "HEAPCCDR"]],
  ["cr3", [4, "ftypcrx "]],
  ["video", [4, "ftyp"]],
  ["video", [0, "\x1a\x45\xdf\xa3"]],
  ["avi", [0, "RIFF"], [8, "AVI "]],
  ["gzip", [0, "\x1f\x8b"]],
  ["zip", [0, "PK\x03\x04"]],
];

/** Netpbm magic numbers: "P", a digit or "F" or "f", then white space or a comment. */
const netpbm = /^P[1-7Ff][\s#]/;
const webPage = /^\s*(?:<!doctype html|<html)/i;

/**
 * The error for a file in no supported format. It names the file's kind, if its signature is known.
 * @param head the file's first bytes, as many as `sniffBytes`
 */
export function refuseUnread(head: Uint8Array): DomainError {
  const text = new TextDecoder("latin1").decode(head.subarray(0, 1024));
  const [found] =
    unread.find(([, ...starts]) => starts.every(([at, bytes]) => latin1(head, at, bytes.length) === bytes)) ?? [];
  const kind = found ?? (netpbm.test(text) ? "netpbm" : webPage.test(text) ? "web-page" : undefined);
  return new DomainError("not-an-image", {
    reason: head.length === 0 ? { code: "empty-file" } : { code: "unread-file", ...(kind ? { kind } : {}) },
  });
}

/** ISO 8859-1: one code point for each byte. TextDecoder's "latin1" is Windows-1252. */
const latin1 = (bytes: Uint8Array, at: number, length: number) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
