import { z } from "zod";
import { errors } from "../facts/error.ts";
import { unknownName } from "../facts/nearest-name.ts";
import { operationNames } from "../facts/operations/index.ts";
import { exactObject } from "./exact-object.ts";
import { type ChosenRecipe, readOptions, recipeMember } from "./recipe.ts";

/** More than the largest plan's batch, so that a quote can also report that a batch is too large. */
const maxQuotedFiles = 500;

const known = {
  width: z.int().min(1).max(1_000_000),
  height: z.int().min(1).max(1_000_000),
  size_bytes: z.int().min(1).max(10_000_000_000),
  format: z.string().max(40).meta({ description: "A name, extension or media type: jpeg, jpg, image/jpeg." }),
};
const sent = z.object(known).partial().shape;

/** All four facts are required for an uploaded picture. For one at a URL they may be unknown. */
export const quotedFile = z
  .object({
    ...sent,
    frames: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .meta({ description: "The frames of an animated GIF or WebP. Default: a still picture." }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "Write the SHA-256 of the file's bytes as 64 hexadecimal digits.")
      .optional()
      .meta({
        description:
          "SHA-256 of the file's bytes, hexadecimal. A result of yours that is at most 14 minutes old is then quoted as what it is: a further step without a network costs nothing.",
      }),
    image_url: z.string().min(1).max(2000).optional().meta({
      description:
        "The URL that the server fetches the picture from. The other facts are then optional; the quote does not fetch it.",
    }),
  })
  .superRefine((file, context) => {
    if (file.image_url !== undefined) return;
    for (const fact of Object.keys(known) as (keyof typeof known)[]) // keys of `known`
      if (file[fact] === undefined)
        context.addIssue({
          code: "custom",
          path: [fact],
          message: `Set the file's ${fact}, or the image_url that the server fetches it from.`,
        });
  });
export type QuotedFile = z.infer<typeof quotedFile>;

/** `isOpen`: the operation's options are not chosen yet. */
type Quoted = { work: ChosenRecipe; isOpen: boolean; files: QuotedFile[] };

/** An operation with its options, or a recipe, and the facts of the files. */
export const quoteRequest = exactObject({
  operation: z
    .enum(operationNames, {
      error: ({ input }) => (typeof input === "string" ? unknownName(input, operationNames, "operation") : undefined),
    })
    .optional(),
  options: z.record(z.string(), z.unknown()).optional().meta({
    description:
      "The operation's form fields. Without them the quote has the price and the refusals that do not depend on them.",
  }),
  recipe: recipeMember.optional().meta({ description: "A recipe's name, or an object with its steps." }),
  files: z.array(quotedFile).min(1, "Please name at least one file.").max(maxQuotedFiles),
}).transform(({ operation, options, recipe, files }, context): Quoted => {
  if (recipe && !operation) return { work: recipe, isOpen: false, files };
  const refuse = (path: PropertyKey[], message: string) => {
    context.addIssue({ code: "custom", path: path.map((part) => (typeof part === "symbol" ? "" : part)), message });
    return z.NEVER;
  };
  if (!operation || recipe) return refuse(["operation"], "Set either an operation or a recipe.");
  const step = readOptions(operation, options ?? {});
  if ("operation" in step) return { work: { steps: [step] }, isOpen: false, files };
  if (options === undefined) return { work: { steps: [{ operation, options: {} }] }, isOpen: true, files };
  return refuse(["options", ...step.path], step.message);
});

const fileIndex = z.int().nullable().meta({ description: "The file's index in the list; null for the whole batch." });
export const quote = z.object({
  credits: z.int().meta({ description: "The credits that the batch will cost, also if you do not have them." }),
  credits_per_file: z.int(),
  remaining_after: z.int().nullable().meta({ description: "Null where credits are not limited." }),
  resets_at: z.iso.datetime().nullable(),
  refusals: z.array(z.object({ index: fileIndex, code: z.enum(Object.keys(errors)), detail: z.string() })),
  losses: z.array(z.object({ index: fileIndex, detail: z.string() })),
  assumptions: z
    .array(z.object({ index: fileIndex, detail: z.string() }))
    .meta({ description: "Facts that are only known after the upload, with the quote's assumption." }),
  continued: z
    .array(z.int())
    .meta({ description: "Indexes of the files that cost nothing, as further steps on results of yours." }),
});
export type Quote = z.infer<typeof quote>;
