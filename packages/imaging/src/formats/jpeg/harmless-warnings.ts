import { DomainError } from "@tintype/contract";

/**
 * libjpeg warnings that leave the samples intact: extraneous bytes before a marker, an inconsistent progression
 * sequence, the SOS parameters of a sequential scan, an unknown Adobe transform or JFIF revision, an ICC profile. Its
 * other warnings (premature end of a segment, a bad Huffman code, a missing RSTm) mean that samples are missing or
 * wrong.
 */
const harmless =
  /extraneous bytes|Inconsistent progression|Invalid SOS parameters|Adobe color transform|JFIF revision|too many scanlines|ICC profile/i;

/**
 * Whether a JPEG failed on a warning that leaves its samples intact. libvips fails on every warning or on none: the
 * engine therefore decodes with `failOn: "warning"` first, and retries with "error" after a harmless one.
 */
export function isHarmlessWarning(problem: unknown): boolean {
  const cause = problem instanceof DomainError ? problem.cause : problem;
  return cause instanceof Error && cause.message.includes("VipsJpeg") && harmless.test(cause.message);
}
