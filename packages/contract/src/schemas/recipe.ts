import { z } from "zod";
import { DomainError } from "../facts/domain-error.ts";
import { unknownName } from "../facts/nearest-name.ts";
import { isLastStep, manifestOf, type OperationName, operationNames } from "../facts/operations/index.ts";
import { manualComesLater, manualProfile } from "../facts/operations/remove-background.ts";
import { maxRecipeSteps } from "../facts/recipe-price.ts";
import { taskOptions } from "./options.ts";

export const maxRecipes = 100;

/** One step: the operation and its parsed options. */
export type RecipeStep = { operation: OperationName; options: Record<string, unknown> };
/** A step as people write it: one operation's name with its options. */
export type WrittenStep = { [Name in OperationName]?: Record<string, unknown> };

const stepsSentence = `A recipe has 1 to ${maxRecipeSteps} steps.`;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Issue = { path: (string | number)[]; message: string };

/** Parses an operation's options. Returns the step, or what is wrong with them. */
export function readOptions(operation: OperationName, chosen: object): RecipeStep | Issue {
  const known = Object.keys(manifestOf(operation).fields);
  const odd = Object.keys(chosen).find((option) => !known.includes(option));
  if (odd !== undefined) return { path: [odd], message: unknownName(odd, known, `option of ${operation}`) };
  const parsed = taskOptions[operation].safeParse(chosen);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { path: issue?.path.map(String) ?? [], message: issue?.message ?? "The options cannot be read." };
  }
  if ("profile" in parsed.data && parsed.data.profile === manualProfile)
    return { path: ["profile"], message: manualComesLater };
  return { operation, options: parsed.data };
}

/** One step from options as people write them, strings or typed values. @throws invalid-request with the field's own message */
export function readStep(operation: OperationName, written: object): RecipeStep {
  const step = readOptions(operation, written);
  if ("operation" in step) return step;
  const [field] = step.path.map(String);
  throw new DomainError("invalid-request", { field, detail: step.message });
}

function readWrittenStep(written: unknown): RecipeStep | Issue {
  const [name, ...others] = isObject(written) ? Object.keys(written) : [];
  if (name === undefined || others.length > 0)
    return { path: [], message: 'A step is one operation with its options: {"resize": {"width": 1200}}.' };
  const operation = operationNames.find((one) => one === name);
  if (!operation) return { path: [name], message: unknownName(name, operationNames, "operation") };
  const chosen = (written as Record<string, unknown>)[operation]; // it has keys, so it is an object
  if (!isObject(chosen)) return { path: [operation], message: `The options of ${operation} must be an object.` };
  const step = readOptions(operation, chosen);
  const { oneOf } = manifestOf(operation);
  // A recipe has no auxiliary files, of which one might do instead.
  if ("operation" in step && oneOf?.fields.every((name) => step.options[name] === undefined))
    return { path: [operation, oneOf.fields[0] ?? ""], message: oneOf.message };
  return "operation" in step ? step : { path: [operation, ...step.path], message: step.message };
}

const writtenSchema = {
  type: "array" as const,
  minItems: 1,
  maxItems: maxRecipeSteps,
  items: {
    type: "object" as const,
    minProperties: 1,
    maxProperties: 1,
    properties: Object.fromEntries(operationNames.map((name) => [name, { type: "object" as const }])),
    description: "One operation with its options, named as its form fields.",
  },
};

/** Parses the steps of a recipe as people write them. */
export const recipeSteps = z
  .array(z.unknown(), "The steps must be a list.")
  .min(1, stepsSentence)
  .max(maxRecipeSteps, stepsSentence)
  .transform((written, context): RecipeStep[] => {
    let page: unknown;
    return written.flatMap((one, index) => {
      const step = readWrittenStep(one);
      const named = "operation" in step ? (step.options["page"] ?? page) : page;
      page ??= named;
      if ("operation" in step && named !== page) {
        const message = "A recipe works on one page. Give the same page in each step, or only in the first.";
        context.addIssue({ code: "custom", path: [index, step.operation, "page"], message });
        return [];
      }
      if ("operation" in step && isLastStep(step.operation) && index + 1 < written.length) {
        const message = `${step.operation} gives a ZIP of several pictures: please make it the last step.`;
        context.addIssue({ code: "custom", path: [index, step.operation], message });
        return [];
      }
      if ("operation" in step) return [step];
      context.addIssue({ code: "custom", path: [index, ...step.path], message: step.message });
      return [];
    });
  })
  .meta(writtenSchema);

/** The first character distinguishes a name from JSON. */
export const recipeName = z
  .string()
  .trim()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u,
    "Please name the recipe with letters, digits, blanks, dots and dashes, at most 60.",
  )
  .meta({ type: "string" });

const recipeSentence = 'The recipe must be a name, or JSON such as {"steps": [{"resize": {"width": 1200}}]}.';

/** A recipe in a form or a quote: the name of a saved one, or its steps. */
export type ChosenRecipe = { name: string } | { steps: RecipeStep[] };

/** A recipe as text: a name, or JSON of a recipe or its steps. */
export const recipeField = z
  .string(recipeSentence)
  .transform((text, context): ChosenRecipe => {
    if (!/^\s*[[{]/.test(text)) return readChosen(text, context);
    try {
      return readChosen(JSON.parse(text), context);
    } catch {
      context.addIssue({ code: "custom", message: recipeSentence });
      return z.NEVER;
    }
  })
  .meta({
    type: "string",
    description: "The name of a saved or built-in recipe, or a recipe as JSON.",
    example: "avatar",
  });

/** A recipe in JSON: a name, or an object with steps. */
export const recipeMember = z
  .union([z.string(), z.object({ name: z.string().optional(), steps: z.unknown() })], recipeSentence)
  .transform((value, context): ChosenRecipe => readChosen(value, context))
  .meta({ oneOf: [{ type: "string" }, { type: "object", properties: { steps: writtenSchema }, required: ["steps"] }] });

function readChosen(value: unknown, context: z.RefinementCtx): ChosenRecipe {
  if (typeof value === "string") {
    const name = recipeName.safeParse(value);
    if (name.success) return { name: name.data };
    context.addIssue({ code: "custom", message: recipeSentence });
    return z.NEVER;
  }
  const steps = recipeSteps.safeParse(Array.isArray(value) ? value : isObject(value) ? value["steps"] : undefined);
  if (steps.success) return { steps: steps.data };
  for (const { path, message } of steps.error.issues)
    context.addIssue({
      code: "custom",
      path: ["steps", ...path.map((part) => (typeof part === "symbol" ? "" : part))],
      message,
    });
  return z.NEVER;
}

export const newRecipe = z.object({ name: recipeName, steps: recipeSteps });

export const recipe = z.object({
  id: z.string(),
  name: z.string(),
  steps: z.array(z.record(z.string(), z.record(z.string(), z.unknown()))),
  preset: z.boolean().meta({ description: "Built in: it can be run by name but not changed." }),
  about: z.string().optional(),
  source: z.string().optional().meta({ description: "Where a preset's sizes come from." }),
  credits_per_file: z.int(),
  updated_at: z.iso.datetime().optional(),
});
export type Recipe = z.infer<typeof recipe>;
export const recipes = z.object({ recipes: z.array(recipe) });

/** Converts parsed steps back to the form that people write. */
export const writeSteps = (steps: readonly RecipeStep[]): WrittenStep[] =>
  steps.map(({ operation, options }) => ({ [operation]: options }));
