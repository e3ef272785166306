import {
  auxiliaryFilesOf,
  type Field,
  formats,
  type InputFormat,
  inputFormats,
  manifestOf,
  type OperationName,
  outputFormats,
} from "@tintype/contract";
import { textsOf } from "@tintype/contract/reference";
import { z } from "zod";

/** `compress` becomes `compress_images`; an operation whose name includes its object keeps it: `remove_background`. */
export const toolNameOf = (operation: OperationName): string =>
  operation.includes("-") ? operation.replaceAll("-", "_") : `${operation}_images`;

export const filesSchema = z.array(z.string().min(1)).min(1).max(200).describe("Pictures, or folders with subfolders.");

/** Where results go, and what is returned besides their paths. `defaultSuffix` is the default for results beside their sources. */
export const resultFields = (defaultSuffix: string) => ({
  output_folder: z.string().optional().describe("Created if missing. Default: next to the sources."),
  suffix: z
    .string()
    .regex(/^[\p{L}\p{N}_.-]{0,40}$/u, {
      error: "A suffix has at most 40 letters, digits and the signs _ . - and no other.",
    })
    .optional()
    .describe(
      `Of the results' names. Without it: ${defaultSuffix ? `${defaultSuffix}, nothing in an output_folder` : "nothing"}.`,
    ),
  preview: z.boolean().optional().describe("Show the first result, at most 512 px.").meta({ default: false }),
});

/** The fields common to all tools that process pictures. */
export const callSchema = z.object({ files: filesSchema, ...resultFields("") });
export type Call = z.infer<typeof callSchema>;

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case "integer":
      return z.int().min(field.min).max(field.max);
    case "decimal":
      return z.number().min(field.min).max(field.max);
    case "choice":
      return z.enum(field.values.filter((value) => !field.comingSoon?.includes(value)));
    case "factor":
      return z.literal([...field.values]);
    case "flag":
      return z.boolean();
    case "format":
      return z.enum(namesOf(field.writable ? outputFormats : inputFormats));
    case "colour":
    case "text":
      return z.string();
  }
}

/** Formats by name and by file extension: models write `jpg`. */
const namesOf = (known: readonly InputFormat[]): string[] => [
  ...new Set([...known, ...known.map((format) => formats[format].extensions[0])]),
];

/** The options of an operation, generated from its manifest. Defaults are stated here, and applied when the work is parsed. */
export function optionFields(operation: OperationName): Record<string, z.ZodType> {
  const { fields, oneOf, defaults = {} } = manifestOf(operation);
  const { fields: texts, pictures } = textsOf(operation);
  const options = Object.entries<Field>(fields).flatMap(([name, field]): [string, z.ZodType][] => {
    if (field.kind === "flag" && field.keepsOnServer) return [];
    const standard = "default" in field ? field.default : undefined;
    const isNeeded =
      standard === undefined && !("optional" in field && field.optional) && !oneOf?.fields.includes(name);
    const schema = schemaOf(field);
    const defaultText =
      defaults[name] === undefined ? [] : [`Without ${oneOf?.fields.join(" and ")}: ${defaults[name]}.`];
    const description = [texts[name] ?? [], defaultText].flat().join(" ");
    const meta = { ...(description ? { description } : {}), ...(standard === undefined ? {} : { default: standard }) };
    return [[name, isNeeded ? schema.meta(meta) : schema.optional().meta(meta)]];
  });
  const files = auxiliaryFilesOf(operation).map(({ field }) => [
    field,
    z.string().optional().describe(`${pictures?.[field]} A path in an allowed folder.`),
  ]);
  return Object.fromEntries([...options, ...files]);
}
