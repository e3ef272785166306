import { DomainError } from "@tintype/contract";

/**
 * Messages of libjpeg about a JPEG that is complete and only breaks a rule: extra bytes before a marker, scans in an
 * odd order, fields of another version. Its other warnings (a segment that ends early, an invalid code, a lost restart)
 * mean that a part of the picture is missing or wrong.
 */
const harmless =
  /extraneous bytes|Inconsistent progression|Invalid SOS parameters|Adobe color transform|JFIF revision|too many scanlines|ICC profile/i;

/**
 * Whether a JPEG was refused for a warning that does not touch its pixels. libvips stops at the first warning or at
 * none: the engine reads a JPEG strictly first and, after this, once more without.
 */
export function isHarmlessWarning(problem: unknown): boolean {
  const cause = problem instanceof DomainError ? problem.cause : problem;
  return cause instanceof Error && cause.message.includes("VipsJpeg") && harmless.test(cause.message);
}
