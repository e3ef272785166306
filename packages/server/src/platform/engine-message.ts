import {
  type ErrorCode,
  errors,
  inputFormats,
  isNoteCode,
  isReasonCode,
  type Note,
  noteText,
  type Reason,
  reasonText,
  resultFormats,
  stages,
} from "@tintype/contract";
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
/** Parameters of a coded sentence, with those of a reason inside it. Of limited depth: a parser could run out of stack. */
const scalar = z.union([z.number(), z.boolean(), text]);
const list = z.array(scalar).max(1000);
const flat = z.record(z.string(), z.union([scalar, list]));
const nested = z.record(z.string(), z.union([scalar, list, flat]));
const coded = z.record(z.string(), z.union([scalar, list, nested]));

/** Whether the sentence can be made: with a missing or a wrong parameter the API could not show the file. */
const canBeSaid = (write: () => string): boolean => {
  try {
    return write().length <= maxTextLength;
  } catch {
    return false;
  }
};
const isNote = ({ code, ...parameters }: z.infer<typeof coded>): boolean =>
  typeof code === "string" && isNoteCode(code) && canBeSaid(() => noteText({ code, ...parameters } as Note));
const isReason = ({ code, ...parameters }: z.infer<typeof coded>): boolean =>
  typeof code === "string" && isReasonCode(code) && canBeSaid(() => reasonText({ code, ...parameters } as Reason));
// Their sentences could be made.
const note = coded.refine(isNote).transform((value) => value as Note);
const reason = coded.refine(isReason).transform((value) => value as Reason);

const notes = z.array(note).max(1000);
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
  z.object({ kind: z.literal("unchanged"), source: z.object(facts), result: z.object(facts), notes, reason }),
]);
const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]; // the catalogue has some

const message: z.ZodType<FromEngine> = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("log"), line: text }),
  z.object({
    type: z.literal("progress"),
    id: whole,
    progress: z.object({ fraction: z.number(), stage: z.enum(stages).exactOptional() }),
  }),
  z.object({ type: z.literal("size"), id: whole, megapixels: z.number().min(0) }),
  z.object({ type: z.literal("done"), id: whole, outcome }),
  z.object({
    type: z.literal("refused"),
    id: whole,
    code: z.enum(errorCodes),
    reason,
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
