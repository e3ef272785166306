import colourNames from "color-name";
import { z } from "zod";
import { formatNamed, type InputFormat, inputFormats, outputFormats } from "../facts/format.ts";
import { manifestOf, type TaskName, type TaskOptions, taskNames } from "../facts/operations/index.ts";
import type { Field } from "../facts/operations/manifest.ts";
import { type OperationTexts, textsOf } from "../reference/operation-texts.ts";
import { requirements } from "./requirements.ts";

/** Trims text. A blank field counts as missing. */
const filledIn = (value: unknown) => (typeof value === "string" ? value.trim() || undefined : value);

/** Not `z.coerce.number()`: `Number("")`, `Number(true)` and `Number("0x10")` are numbers to JavaScript but not to a person. */
const digits = (message: string) =>
  z.union([z.number(), z.string().regex(/^[0-9]{1,9}$/, message)], message).transform(Number);

const decimal = ({ min, max, decimals, message }: Extract<Field, { kind: "decimal" }>) =>
  z
    .union([z.number(), z.string().regex(/^[+-]?[0-9]{1,9}([.][0-9]{1,9})?$/, message)], message)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, message)
        .max(max, message)
        .refine((value) => Number(value.toFixed(decimals)) === value, message),
    );

const flag = (name: string) =>
  z.union(
    [z.boolean(), z.stringbool({ truthy: ["true", "1", "yes", "on"], falsy: ["false", "0", "no", "off"] })],
    `${name} must be true or false.`,
  );

function format({ writable, message, missing }: Extract<Field, { kind: "format" }>): z.ZodType {
  const accepted: readonly InputFormat[] = writable ? outputFormats : inputFormats;
  return z
    .string(missing)
    .transform((name, context): InputFormat | undefined => {
      const found = formatNamed(name);
      if (found && accepted.includes(found)) return found;
      if (!writable) return undefined; // only a hint: an unknown value is ignored, not rejected
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ type: "string", enum: namesOf(accepted) });
}

/** Names by which most people and programs know two of the formats. The rarer ones are accepted too. */
const commonNames: Partial<Record<InputFormat, string>> = { jpeg: "jpg", tiff: "tif" };
const namesOf = (accepted: readonly InputFormat[]): string[] => [
  ...accepted,
  ...accepted.flatMap((format) => commonNames[format] ?? []),
];

const colour = ({ message, keywords = [], isOpaque }: Extract<Field, { kind: "colour" }>) =>
  z
    .string(message)
    .transform((value, context): string => {
      const word = value.trim().toLowerCase();
      const named = Object.hasOwn(colourNames, word) ? colourNames[word as keyof typeof colourNames] : undefined; // an own key
      if (named) return `#${named.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
      if ((word === "transparent" && !isOpaque) || keywords.includes(word) || /^#[0-9a-f]{6}$/.test(word)) return word;
      if (/^#[0-9a-f]{3}$/.test(word)) return word.replace(/[0-9a-f]/g, (digit) => digit + digit);
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .meta({ type: "string" });

function valueSchema(name: string, field: Field): z.ZodType {
  switch (field.kind) {
    case "integer": {
      const { min, max, message } = field;
      return digits(message).pipe(z.number().int(message).min(min, message).max(max, message));
    }
    case "decimal":
      return decimal(field);
    case "choice":
      return z.enum([...field.values], field.message);
    case "factor":
      return digits(field.message).pipe(z.literal([...field.values], field.message));
    case "flag":
      return flag(name);
    case "colour":
      return colour(field);
    case "text":
      return z.string(field.message).regex(field.pattern, field.message);
    case "format":
      return format(field);
  }
}

function fieldSchema(name: string, field: Field, { fields, examples = {} }: OperationTexts): z.ZodType {
  const schema = valueSchema(name, field);
  const isOptional = "optional" in field && field.optional;
  const filled =
    "default" in field && field.default !== undefined
      ? schema.default(field.default)
      : isOptional
        ? schema.optional()
        : schema;
  const example = examples[name];
  return z.preprocess(filledIn, filled).meta({
    description: fields[name],
    ...(example === undefined ? {} : { example }),
  });
}

function schemaOf(task: TaskName): z.ZodType {
  const { fields, oneOf, defaults } = manifestOf(task);
  const texts = textsOf(task);
  const plain = z.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(name, field, texts)])),
  );
  const isGiven = (options: Record<string, unknown>) => (name: string) => options[name] !== undefined;
  const schema = plain.superRefine((options, context) => {
    for (const { fields: dependent, needs, message } of requirements[task] ?? []) {
      const given = dependent.find(isGiven(options));
      const isMet = Object.entries(needs).every(([name, value]) =>
        typeof value === "boolean" ? isGiven(options)(name) === value : options[name] === value,
      );
      if (given !== undefined && !isMet) context.addIssue({ code: "custom", message, path: [given] });
    }
  });
  // Whether an auxiliary file was sent is not known here. Then the operation refuses what has neither.
  if (!oneOf?.fields.every((name) => name in fields)) return schema;
  const { fields: names, message } = oneOf;
  if (defaults) {
    const standard = plain.partial().parse(defaults);
    const filled = Object.fromEntries(Object.keys(defaults).map((name) => [name, standard[name]]));
    return schema.transform((options) => (names.some(isGiven(options)) ? options : { ...options, ...filled }));
  }
  return schema.refine((options) => names.some(isGiven(options)), { message, path: [names[0] ?? ""] });
}

const schemas: Partial<Record<TaskName, z.ZodType>> = {};
const schemaFor = (name: TaskName): z.ZodType => {
  schemas[name] ??= schemaOf(name);
  return schemas[name];
};

/**
 * The options schema of each task, built from its manifest, for a form's text fields. Unknown fields are ignored. Each schema is
 * built on first access, because the command needs only one of them.
 */
export const taskOptions = Object.defineProperties(
  {},
  Object.fromEntries(taskNames.map((name) => [name, { enumerable: true, get: () => schemaFor(name) }])),
) as {
  readonly [Name in TaskName]: z.ZodType<TaskOptions<Name>>;
}; // each schema is built from the same fields as the type
