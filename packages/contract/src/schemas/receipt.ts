import { z } from "zod";
import { fileStates, jobStates } from "../facts/job-state.ts";
import { taskNames } from "../facts/operations/index.ts";
import type { MetadataChoice } from "../facts/operations/shared-fields.ts";
import { candidates, incomplete, likeness, noteCodes, nothingSaved, pictureFacts, resultFacts } from "./job.ts";

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
  iss: z.string().meta({ description: "The service that signs the receipt." }),
  job: z.string(),
  steps: z.array(z.enum(taskNames)),
  state: z.enum(jobStates),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  originals_deleted_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: "The latest time of deletion; null if not deleted yet." }),
  results_deleted_at: z.iso.datetime().nullable().meta({ description: "Null if not deleted yet." }),
  metadata_removed: z.array(z.enum(removedMetadata)).meta({
    description:
      "Kinds of metadata that no result contains. Empty with keep_film, since the film's own metadata is not read. The notes of each file name what it kept.",
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
      note_codes: noteCodes,
      code: z.string().optional(),
    }),
  ),
});
export type Receipt = z.infer<typeof receipt>;

export const signedReceipt = z.object({
  receipt,
  jws: z
    .string()
    .meta({ description: "The same receipt as a compact JWS (EdDSA), signed with a key of /api/receipt-keys." }),
});
export const receiptKeys = z.object({
  keys: z.array(
    z.object({ kty: z.string(), crv: z.string(), x: z.string(), kid: z.string(), alg: z.string(), use: z.string() }),
  ),
});
