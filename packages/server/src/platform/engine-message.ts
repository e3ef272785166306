import { type ErrorCode, errors, inputFormats, resultFormats } from "@tintype/contract";
import type { FromEngine } from "@tintype/imaging";
import { z } from "zod";

const maxTextLength = 10_000;
const text = z.string().transform((value) => value.slice(0, maxTextLength));
const whole = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const facts = { format: z.enum(inputFormats), width: whole, height: whole, sizeBytes: whole };
const estimate = z.object({
  left: whole,
  top: whole,
  width: whole,
  height: whole,
  sizeBytes: whole,
  quality: z.number().exactOptional(),
});
/** Far more pixels than a previewed picture has. The server's work on a region grows with them. */
const maxPixels = 1e9;
const sourceRegion = z.object({
  left: whole,
  top: whole,
  width: whole,
  height: whole,
  picture: z
    .object({ width: whole.min(1), height: whole.min(1) })
    .refine(({ width, height }) => width * height <= maxPixels),
  page: whole.exactOptional(),
});
const notes = z.array(text).max(1000);
const outcome = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("done"),
    source: z.object(facts),
    result: z.object({ ...facts, format: z.enum(resultFormats), estimate: estimate.exactOptional() }),
    notes,
    sourceRegion: sourceRegion.exactOptional(),
    confidence: z.number().exactOptional(),
    candidates: z.array(z.number().min(0).max(1)).min(2).max(3).exactOptional(),
    incomplete: z.literal(true).exactOptional(),
    hasKept: z.boolean().exactOptional(),
    isStandIn: z.boolean().exactOptional(),
    nothingSaved: z.literal(true).exactOptional(),
    likeness: z.number().max(100).exactOptional(),
  }),
  z.object({ kind: z.literal("unchanged"), source: z.object(facts), result: z.object(facts), notes, reason: text }),
]);
const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]; // the catalogue has some

const message: z.ZodType<FromEngine> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("log"), line: text }),
  z.object({
    type: z.literal("progress"),
    id: whole,
    progress: z.object({ fraction: z.number(), stage: text.exactOptional() }),
  }),
  z.object({ type: z.literal("size"), id: whole, megapixels: z.number().min(0) }),
  z.object({ type: z.literal("done"), id: whole, outcome }),
  z.object({
    type: z.literal("refused"),
    id: whole,
    code: z.enum(errorCodes),
    detail: text,
    smallestBytes: whole.exactOptional(),
    cause: text.exactOptional(),
  }),
  z.object({ type: z.literal("failed"), id: whole, message: text }),
]);

/**
 * An engine process's message, reduced to its allowed fields; undefined for anything else. A compromised engine sends
 * anything: an extra field would reach the file's row, and some of its fields name blobs.
 */
export function readEngineMessage(value: unknown): FromEngine | undefined {
  return message.safeParse(value).data;
}
