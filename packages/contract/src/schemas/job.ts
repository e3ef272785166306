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
    .meta({ description: "zip: a web set; width and height are those of its largest picture." }),
});

export const nothingSaved = z
  .literal(true)
  .optional()
  .meta({ description: "Compress could save nothing: the original came back, and its credit too." });

export const candidates = z
  .object({
    count: z.int(),
    shown: z.int().meta({ description: "The one that the result is, counted from 1." }),
    confidences: z.array(z.number()).meta({ description: "How sure each one is, as `confidence`." }),
  })
  .optional()
  .meta({
    description:
      "Of a cut-out that is kept for edits and can be cut in other ways: `GET /api/jobs/{id}/files/{index}/candidates` shows them, and an edit with `candidate` takes one.",
  });
export const incomplete = z
  .literal(true)
  .optional()
  .meta({ description: "Of a removed background: a large part of a person may be missing." });

export const likeness = z.number().max(100).optional().meta({
  description:
    "Of compress with `measure` or `min_likeness`: how like its original the result looks, as a score of SSIMULACRA 2.1. 100: every pixel is the same; 90: no visible difference; 70: high quality; 50: medium; 30: low. Below 0 is possible. Of a moving picture the least of its frames.",
});

export const jobFile = z.object({
  index: z.int(),
  name: z.string(),
  state: z.enum(fileStates),
  progress: z.number().min(0).max(1),
  stage: z
    .string()
    .optional()
    .meta({ description: "The present stage, for stages worth telling (loading the model)." }),
  source: pictureFacts.partial().optional(),
  result: resultFacts.extend({ name: z.string() }).optional(),
  notes: z.array(z.string()).meta({ description: "Losses and decisions on the way, a sentence each." }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: "Of a removed background: how sure the result is." }),
  candidates,
  incomplete,
  likeness,
  nothing_saved: nothingSaved,
  reason: z.string().optional().meta({ description: "Why it failed, stayed unchanged, or could not be made smaller." }),
  code: z.string().optional().meta({ description: "The error's code in the catalogue." }),
  smallest_bytes: z.int().optional().meta({ description: "It did not fit max_bytes: the least that was reached." }),
  delivered: z.boolean(),
});
export type JobFile = z.infer<typeof jobFile>;

export const credits = z.object({ charged: z.int(), remaining: z.int(), limit: z.int() });
export type Credits = z.infer<typeof credits>;

export const job = z.object({
  id: z.string(),
  operation: z.enum(taskNames),
  steps: z.array(z.enum(taskNames)).meta({ description: "The steps that each file goes through, in order." }),
  test: z
    .literal(true)
    .optional()
    .meta({ description: "Made with a test key: results are marked and small, and cost nothing." }),
  state: z.enum(jobStates),
  progress: z.number().min(0).max(1),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime().optional().meta({ description: "When results are deleted at the latest." }),
  position: z.int().optional().meta({ description: "Files of others that are before this job's next one." }),
  files: z.array(jobFile),
  output: z
    .enum(["waiting", "sent", "failed"])
    .optional()
    .meta({ description: "Of a job with `output_url`: whether its result has gone there." }),
  credits: credits.optional(),
});
export type Job = z.infer<typeof job>;

/** A page of the caller's jobs. Queue position and credits are only in the single job. */
export const jobList = z.object({
  jobs: z.array(job),
  next: z.string().nullable().meta({ description: "Send it as `before` to have the next page; null on the last one." }),
});
export type JobList = z.infer<typeof jobList>;

/** One line of `report.json`, and of a single result's `X-Report` header. */
export const reportRow = z.object({
  file: z.string(),
  outcome: z.enum(["done", "unchanged", "failed"]),
  code: z.string().optional().meta({ description: "Of a failed file: the error's code in the catalogue." }),
  reason: z.string().optional(),
  result: z.string().optional(),
  source_bytes: z.int(),
  result_bytes: z.int().optional(),
  nothing_saved: nothingSaved,
  width: z.int().optional(),
  height: z.int().optional(),
  notes: z.array(z.string()),
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
