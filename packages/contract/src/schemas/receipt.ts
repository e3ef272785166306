import { z } from "zod";
import { fileStates, jobStates } from "../facts/job-state.ts";
import { taskNames } from "../facts/operations/index.ts";
import type { MetadataChoice } from "../facts/operations/metadata.ts";
import { candidates, incomplete, likeness, nothingSaved, pictureFacts, resultFacts } from "./job.ts";

/** Days for which a receipt can be fetched. */
export const receiptDays = 30;
const removedMetadata = ["exif", "gps", "xmp", "iptc", "comments"] as const;
/** The kinds of metadata that no result has, given what the job had to keep. An embedded film is not inspected, so none are listed. */
export function metadataRemovedBy(
  choice: MetadataChoice | undefined,
  { keepsFilm }: { keepsFilm: boolean },
): readonly (typeof removedMetadata)[number][] {
  if (keepsFilm) return [];
  return choice === undefined || choice === "none" ? removedMetadata : ["gps", "comments"];
}

/** A job's steps, the facts of its files, and when they were deleted. It contains no picture, no name and no personal data. */
export const receipt = z.object({
  iss: z.string().meta({ description: "The service that signs it." }),
  job: z.string(),
  steps: z.array(z.enum(taskNames)),
  state: z.enum(jobStates),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  originals_deleted_at: z.iso.datetime().nullable().meta({ description: "At the latest; null: not yet." }),
  results_deleted_at: z.iso.datetime().nullable().meta({ description: "Null: not yet." }),
  metadata_removed: z.array(z.enum(removedMetadata)).meta({
    description:
      "Kinds of which no result has anything; with keep_film none, since a film is not looked into. The files' notes tell what of the others stayed.",
  }),
  files: z.array(
    z.object({
      index: z.int(),
      state: z.enum(fileStates),
      source: pictureFacts.partial(),
      result: resultFacts.optional(),
      nothing_saved: nothingSaved,
      candidates,
      incomplete,
      likeness,
      notes: z.array(z.string()),
      code: z.string().optional(),
    }),
  ),
});
export type Receipt = z.infer<typeof receipt>;

export const signedReceipt = z.object({
  receipt,
  jws: z
    .string()
    .meta({ description: "The same receipt, signed: a compact JWS (EdDSA) by a key of /api/receipt-keys." }),
});
export const receiptKeys = z.object({
  keys: z.array(
    z.object({ kty: z.string(), crv: z.string(), x: z.string(), kid: z.string(), alg: z.string(), use: z.string() }),
  ),
});
