import { z } from "zod";
import { errors } from "../facts/error.ts";
import { unknownName } from "../facts/nearest-name.ts";
import { operationNames } from "../facts/operations/index.ts";
import { exactObject } from "./exact-object.ts";
import { type ChosenRecipe, readOptions, recipeMember } from "./recipe.ts";

/** More than the largest plan's batch, so that a quote can also report that a batch is too large. */
const mostQuotedFiles = 500;

const known = {
  width: z.int().min(1).max(1_000_000),
  height: z.int().min(1).max(1_000_000),
  size_bytes: z.int().min(1).max(10_000_000_000),
  format: z.string().max(40).meta({ description: "By any name: jpeg, jpg, image/jpeg." }),
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
      .meta({ description: "Of a GIF or WebP that moves. Left out, the picture is taken for a still one." }),
    image_url: z.string().min(1).max(2000).optional().meta({
      description:
        "The picture's address, where the server fetches it. The other facts may then be left out, and it is not fetched for the quote.",
    }),
  })
  .superRefine((file, context) => {
    if (file.image_url !== undefined) return;
    for (const fact of Object.keys(known) as (keyof typeof known)[]) // keys of `known`
      if (file[fact] === undefined)
        context.addIssue({
          code: "custom",
          path: [fact],
          message: `Please give the file's ${fact}, or the image_url that the server fetches it from.`,
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
      "Of the operation, as its form has them. Without them the quote tells the price and what is refused whatever they will be.",
  }),
  recipe: recipeMember.optional().meta({ description: "A recipe's name, or an object with its steps." }),
  files: z.array(quotedFile).min(1, "Please name at least one file.").max(mostQuotedFiles),
}).transform(({ operation, options, recipe, files }, context): Quoted => {
  if (recipe && !operation) return { work: recipe, isOpen: false, files };
  const refuse = (path: PropertyKey[], message: string) => {
    context.addIssue({ code: "custom", path: path.map((part) => (typeof part === "symbol" ? "" : part)), message });
    return z.NEVER;
  };
  if (!operation || recipe) return refuse(["operation"], "Please give an operation or a recipe, one of the two.");
  const step = readOptions(operation, options ?? {});
  if ("operation" in step) return { work: { steps: [step] }, isOpen: false, files };
  if (options === undefined) return { work: { steps: [{ operation, options: {} }] }, isOpen: true, files };
  return refuse(["options", ...step.path], step.message);
});

const fileIndex = z.int().nullable().meta({ description: "The file's place in the list; null: the batch as a whole." });
export const quote = z.object({
  credits: z
    .int()
    .meta({ description: "Credits that the batch takes in the end, or would take where only credits are missing." }),
  credits_per_file: z.int(),
  remaining_after: z.int(),
  resets_at: z.iso.datetime().nullable(),
  refusals: z.array(z.object({ index: fileIndex, code: z.enum(Object.keys(errors)), detail: z.string() })),
  losses: z.array(z.object({ index: fileIndex, detail: z.string() })),
  assumptions: z
    .array(z.object({ index: fileIndex, detail: z.string() }))
    .meta({ description: "Facts that are known after the upload only, and the quote's guess." }),
});
export type Quote = z.infer<typeof quote>;
