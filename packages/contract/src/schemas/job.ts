import { z } from "zod";
import { inputFormats, resultFormats } from "../facts/format.ts";
import { fileStates, jobStates } from "../facts/job-state.ts";
import { taskNames } from "../facts/operations/index.ts";

/** The format and size of a picture. */
export const pictureFacts = z.object({
  format: z.enum(inputFormats),
  width: z.int().meta({ description: "px" }),
  height: z.int().meta({ description: "px" }),
  size_bytes: z.int(),
});

/** The engine's output: a picture, or the ZIP of a web set. */
export const resultFacts = pictureFacts.extend({
  format: z
    .enum(resultFormats)
    .meta({ description: "`zip` for a web set; width and height are then those of its largest picture." }),
});

export const nothingSaved = z
  .literal(true)
  .optional()
  .meta({ description: "Compress could not make the file smaller: the original is returned and its credit refunded." });

export const candidates = z
  .object({
    count: z.int(),
    shown: z.int().meta({ description: "The candidate that the result shows, counted from 1." }),
    confidences: z.array(z.number()).meta({ description: "The `confidence` of each candidate." }),
  })
  .optional()
  .meta({
    description:
      "For a cut-out that is kept for edits and has alternatives: `GET /api/jobs/{id}/files/{index}/candidates` shows them, and an edit with `candidate` selects one.",
  });
export const incomplete = z
  .literal(true)
  .optional()
  .meta({ description: "Remove background: a large part of a person may be missing." });

export const likeness = z.number().max(100).optional().meta({
  description:
    "Compress with `measure` or `min_likeness`: the SSIMULACRA 2.1 score of the result against the original. 100: identical pixels; 90: no visible difference; 70: high quality; 50: medium; 30: low. It can be negative. For an animation it is the lowest score of its frames.",
});

export const noteCodes = z
  .array(z.looseObject({ code: z.string() }))
  .optional()
  .meta({
    description:
      "The same notes in the same order, as codes with the parameters of their sentences. Missing if there are none.",
  });

export const jobFile = z.object({
  index: z.int(),
  name: z.string(),
  state: z.enum(fileStates),
  progress: z.number().min(0).max(1),
  stage: z
    .string()
    .optional()
    .meta({ description: "The current stage, for stages that take long (loading the model)." }),
  source: pictureFacts.partial().optional(),
  result: resultFacts.extend({ name: z.string() }).optional(),
  notes: z.array(z.string()).meta({ description: "What was lost or decided during processing, one sentence each." }),
  note_codes: noteCodes,
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "Remove background: the confidence of the result, 0 to 1." }),
  candidates,
  incomplete,
  likeness,
  nothing_saved: nothingSaved,
  reason: z
    .string()
    .optional()
    .meta({ description: "Why the file failed, is unchanged, or could not be made smaller." }),
  code: z.string().optional().meta({ description: "The error code." }),
  smallest_bytes: z
    .int()
    .optional()
    .meta({ description: "If max_bytes cannot be met: the smallest size that was reached." }),
  delivered: z.boolean(),
});
export type JobFile = z.infer<typeof jobFile>;

export const credits = z.object({ charged: z.int(), remaining: z.int(), limit: z.int() });
export type Credits = z.infer<typeof credits>;

export const job = z.object({
  id: z.string(),
  operation: z.enum(taskNames),
  steps: z.array(z.enum(taskNames)).meta({ description: "The steps applied to each file, in order." }),
  test: z
    .literal(true)
    .optional()
    .meta({ description: "Made with a test key: results are watermarked, small and free." }),
  state: z.enum(jobStates),
  progress: z.number().min(0).max(1),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime().optional().meta({ description: "When results are deleted, if not before." }),
  position: z.int().optional().meta({ description: "The number of other files ahead of this job's next file." }),
  files: z.array(jobFile),
  output: z
    .enum(["waiting", "sent", "failed"])
    .optional()
    .meta({ description: "For a job with `output_url`: the state of the delivery to it." }),
  credits: credits.optional(),
});
export type Job = z.infer<typeof job>;

/** A page of the caller's jobs. Queue position and credits are only in the single job. */
export const jobList = z.object({
  jobs: z.array(job),
  next: z.string().nullable().meta({ description: "Pass it as `before` to get the next page; null on the last page." }),
});
export type JobList = z.infer<typeof jobList>;

/** One line of `report.json`, and of a single result's `X-Report` header. */
export const reportRow = z.object({
  file: z.string(),
  outcome: z.enum(["done", "unchanged", "failed"]),
  code: z.string().optional().meta({ description: "The error code of a failed file." }),
  reason: z.string().optional(),
  result: z.string().optional(),
  source_bytes: z.int(),
  result_bytes: z.int().optional(),
  nothing_saved: nothingSaved,
  width: z.int().optional(),
  height: z.int().optional(),
  notes: z.array(z.string()),
  note_codes: noteCodes,
  confidence: z.number().optional(),
  candidates,
  incomplete,
  likeness,
});
export const report = z.object({ operation: z.enum(taskNames), files: z.array(reportRow) });
export type Report = z.infer<typeof report>;

/** Events of `/api/jobs/{id}/events`. Each has an id, so that a client can resume after a lost connection. */
export const jobEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("snapshot"), job }),
  z.object({ type: z.literal("file"), file: jobFile }),
  z.object({
    type: z.literal("job"),
    state: z.enum(jobStates),
    position: z.int().optional().meta({ description: "As in the job." }),
    credits: credits.optional(),
  }),
]);
export type JobEvent = z.infer<typeof jobEvent>;
