import colourNames from "color-name";
import { z } from "zod";
import { formatNamed, type InputFormat, inputFormats, outputFormats } from "../facts/format.ts";
import { manifestOf, type TaskName, type TaskOptions, taskNames } from "../facts/operations/index.ts";
import type { Field } from "../facts/operations/manifest.ts";
import { type OperationTexts, textsOf } from "../reference/operation-texts.ts";

/** A form's blank field is one that was not filled in, and blanks around a value are none of it. */
const filledIn = (value: unknown) => (typeof value === "string" ? value.trim() || undefined : value);

/** `Number("")`, `Number(true)` and `Number("0x10")` are numbers to JavaScript and not to a person. */
const digits = (say: string) => z.union([z.number(), z.string().regex(/^[0-9]{1,9}$/, say)], say).transform(Number);

const decimal = ({ min, max, decimals, say }: Extract<Field, { kind: "decimal" }>) =>
  z
    .union([z.number(), z.string().regex(/^[+-]?[0-9]{1,9}([.][0-9]{1,9})?$/, say)], say)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, say)
        .max(max, say)
        .refine((value) => Number(value.toFixed(decimals)) === value, say),
    );

const flag = (name: string) =>
  z.union(
    [z.boolean(), z.stringbool({ truthy: ["true", "1", "yes", "on"], falsy: ["false", "0", "no", "off"] })],
    `Please give ${name} as true or false.`,
  );

function format({ writable, say, missing }: Extract<Field, { kind: "format" }>): z.ZodType {
  const accepted: readonly InputFormat[] = writable ? outputFormats : inputFormats;
  return z
    .string(missing)
    .transform((name, context): InputFormat | undefined => {
      const found = formatNamed(name);
      if (found && accepted.includes(found)) return found;
      if (!writable) return undefined; // a hint without effect needs no refusal
      context.addIssue({ code: "custom", message: say });
      return z.NEVER;
    })
    .meta({ type: "string", enum: [...accepted] });
}

const colour = ({ say }: { say: string }) =>
  z
    .string(say)
    .transform((value, context): string => {
      const word = value.trim().toLowerCase();
      const named = Object.hasOwn(colourNames, word) ? colourNames[word as keyof typeof colourNames] : undefined; // its own key
      if (named) return `#${named.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
      if (word === "transparent" || /^#[0-9a-f]{6}$/.test(word)) return word;
      if (/^#[0-9a-f]{3}$/.test(word)) return word.replace(/[0-9a-f]/g, (digit) => digit + digit);
      context.addIssue({ code: "custom", message: say });
      return z.NEVER;
    })
    .meta({ type: "string" });

function valueSchema(name: string, field: Field): z.ZodType {
  switch (field.kind) {
    case "integer": {
      const { min, max, say } = field;
      return digits(say).pipe(z.number().int(say).min(min, say).max(max, say));
    }
    case "decimal":
      return decimal(field);
    case "choice":
      return z.enum([...field.values], field.say);
    case "factor":
      return digits(field.say).pipe(z.literal([...field.values], field.say));
    case "flag":
      return flag(name);
    case "colour":
      return colour(field);
    case "text":
      return z.string(field.say).regex(field.pattern, field.say);
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
  const { fields, oneOf, exclusive, usual } = manifestOf(task);
  const texts = textsOf(task);
  const plain = z.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(name, field, texts)])),
  );
  const isGiven = (options: Record<string, unknown>) => (name: string) => options[name] !== undefined;
  const schema = exclusive
    ? plain.refine((options) => !isGiven(options)(exclusive.field) || !exclusive.without.some(isGiven(options)), {
        message: exclusive.say,
        path: [exclusive.field],
      })
    : plain;
  if (!oneOf) return schema;
  const { fields: names, say } = oneOf;
  if (usual) {
    const standard = plain.partial().parse(usual);
    const filled = Object.fromEntries(Object.keys(usual).map((name) => [name, standard[name]]));
    return schema.transform((options) => (names.some(isGiven(options)) ? options : { ...options, ...filled }));
  }
  return schema.refine((options) => names.some(isGiven(options)), { message: say, path: [names[0] ?? ""] });
}

const made: Partial<Record<TaskName, z.ZodType>> = {};
const schemaFor = (name: TaskName): z.ZodType => {
  made[name] ??= schemaOf(name);
  return made[name];
};

/**
 * Options of each task, parsed from a form's text fields; made from the task's row. Unknown fields are ignored. A schema is
 * made when it is first asked for: the command needs one of them.
 */
export const taskOptions = Object.defineProperties(
  {},
  Object.fromEntries(taskNames.map((name) => [name, { enumerable: true, get: () => schemaFor(name) }])),
) as {
  readonly [Name in TaskName]: z.ZodType<TaskOptions<Name>>;
}; // each schema is made from the very fields that the type is made from
