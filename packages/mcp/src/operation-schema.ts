import { type Field, inputFormats, manifestOf, type OperationName, outputFormats } from "@tintype/contract";
import { z } from "zod";

/** `compress` is `compress_images`; an operation that names its object keeps it: `remove_background`. */
export const toolNameOf = (operation: OperationName): string =>
  operation.includes("-") ? operation.replaceAll("-", "_") : `${operation}_images`;

export const filesSchema = z
  .array(z.string().min(1))
  .min(1)
  .max(200)
  .describe("Paths of pictures, or of folders with pictures. Relative paths begin at the first allowed folder.");

/** The place of the results, and the answer besides their paths. */
export const resultFields = {
  output_folder: z.string().optional().describe("A folder for the results. Without it they go beside their sources."),
  suffix: z
    .string()
    .regex(/^[\p{L}\p{N}_.-]{0,40}$/u)
    .optional()
    .describe("Appended to the names of results, before their endings. No file is ever overwritten."),
  preview: z
    .boolean()
    .optional()
    .describe("Also return the first result as a picture of at most 512 px. The file itself is always written."),
};

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case "integer":
      return z.int().min(field.min).max(field.max);
    case "choice":
      return z.enum(field.values.filter((value) => !field.comingSoon?.includes(value)));
    case "factor":
      return z.literal([...field.values]);
    case "flag":
      return z.boolean();
    case "format":
      return z.enum(field.writable ? outputFormats : inputFormats);
    case "colour":
    case "text":
      return z.string();
  }
}

/** The options of an operation, made from its manifest. Defaults are filled in where the work is read. */
export function optionFields(operation: OperationName): Record<string, z.ZodType> {
  const { fields, oneOf, secondPicture } = manifestOf(operation);
  const options = Object.entries(fields).map(([name, field]): [string, z.ZodType] => {
    const isNeeded =
      !("default" in field && field.default !== undefined) &&
      !("optional" in field && field.optional) &&
      !oneOf?.fields.includes(name);
    const schema = schemaOf(field);
    const told = field.describe ?? field.label;
    const described = told === undefined ? schema : schema.describe(told);
    return [name, isNeeded ? described : described.optional()];
  });
  return {
    ...Object.fromEntries(options),
    ...(secondPicture
      ? {
          [secondPicture.field]: z
            .string()
            .optional()
            .describe(`${secondPicture.describe} A path in an allowed folder.`),
        }
      : {}),
  };
}
