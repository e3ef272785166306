import { DomainError } from "@tintype/contract";

/**
 * What libjpeg says of a JPEG that is all there and only breaks a rule: bytes nobody needs before a marker, scans in an
 * odd order, fields of another version. Its other warnings (a segment that ends early, a code that is none, a lost
 * restart) mean that a part of the picture is missing or wrong.
 */
const untidiness =
  /extraneous bytes|Inconsistent progression|Invalid SOS parameters|Adobe color transform|JFIF revision|too many scanlines|ICC profile/i;

/**
 * Whether a JPEG was refused for a warning that does not touch its pixels. libvips stops at the first warning or at none,
 * so that a JPEG is read strictly first and, after this, once more without.
 */
export function isHarmlessWarning(problem: unknown): boolean {
  const cause = problem instanceof DomainError ? problem.cause : problem;
  return cause instanceof Error && cause.message.includes("VipsJpeg") && untidiness.test(cause.message);
}
