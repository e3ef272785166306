import { type Field, manifestOf, type OperationName } from "@tintype/contract";
import type { Obstacle } from "./obstacle.ts";
import type { FieldName, Settings, ToolSettings } from "./settings.ts";

/** The value that a field of the tool is set to; its default where the person did not touch it, else an empty text. */
export function fieldValue<Tool extends OperationName>(
  tool: Tool,
  values: Settings[Tool],
  name: FieldName<Tool> | (string & {}),
): string {
  const field = manifestOf(tool).fields[name];
  const set = (values as Readonly<Record<string, string | File | undefined>>)[name]; // fields hold texts
  if (typeof set === "string") return set;
  return field && "default" in field && field.default !== undefined ? String(field.default) : "";
}

/** The form fields that go with the pictures; a file among them is a picture of its own and not one to work on. */
export function formFields(tool: OperationName, values: ToolSettings): Record<string, string | File> {
  const { secondPicture } = manifestOf(tool);
  const texts = textsOf(tool, values);
  if (secondPicture?.role !== "background") return texts;
  const { ground, colour = defaultColour, picture } = values;
  return {
    ...texts,
    background: ground === "colour" ? colour : "transparent",
    ...(ground === "picture" && picture && !isMask(texts) ? { [secondPicture.field]: picture } : {}),
  };
}

/** The texts of all fields. Of a choice between fields the other one's is left blank. */
function textsOf(tool: OperationName, values: ToolSettings): Record<string, string> {
  const texts = Object.fromEntries(
    Object.keys(manifestOf(tool).fields).map((name) => [name, fieldValue(tool, values, name).trim()]),
  );
  const blank = (...names: string[]) =>
    Object.fromEntries(names.filter((name) => name in texts).map((name) => [name, ""]));
  if (tool === "resize") {
    if (values.unit === "percent") return { ...texts, ...blank("width", "height", "enlarge") };
    // What goes without saying is not said: the same result has one key.
    const isUsual = texts["enlarge"] === String(texts["method"] !== "fit");
    return { ...texts, ...blank("percent"), ...(isUsual ? blank("enlarge") : {}) };
  }
  return { ...texts, ...(values.aim === "size" ? blank("quality") : blank("max_bytes")) };
}

export const defaultColour = "#ffffff";

/** A matte by itself has no background. */
const isMask = (texts: Record<string, string>) => texts["mask_only"] === "true";

/** Which of the tool's fields cannot be sent as it is, and why; undefined where all can. */
export function settingObstacle(tool: OperationName, values: ToolSettings): Obstacle | undefined {
  const { fields, oneOf, secondPicture } = manifestOf(tool);
  const texts = textsOf(tool, values);
  if (values.aim === "size" && "max_bytes" in texts && faultOf(fields["max_bytes"], texts["max_bytes"] ?? "", false))
    return { field: "max_bytes", sentence: "Please enter the size in KB, from 1 to 200,000." };
  const [firstOf] = oneOf?.fields ?? [];
  if (oneOf && firstOf && oneOf.fields.every((name) => texts[name] === ""))
    return { field: values.unit === "percent" ? "percent" : firstOf, sentence: oneOf.say };
  for (const [name, field] of Object.entries(fields)) {
    const sentence = faultOf(field, texts[name] ?? "");
    if (sentence) return { field: name, sentence };
  }
  if (secondPicture && values.ground === "picture" && !isMask(texts) && !values.picture)
    return { field: "background", sentence: "Please choose a background image." };
  return undefined;
}

/** Choices and switches cannot be wrong, other fields can. The server checks all of them again. */
function faultOf(field: Field | undefined, value: string, mayBeBlank = true): string | undefined {
  if (!field) return undefined;
  const isBlankAllowed = mayBeBlank && "optional" in field && field.optional;
  if (value === "" && isBlankAllowed) return undefined;
  switch (field.kind) {
    case "integer":
      return /^[0-9]{1,9}$/.test(value) && Number(value) >= field.min && Number(value) <= field.max
        ? undefined
        : field.say;
    case "decimal":
      return /^[+-]?[0-9]{1,9}([.][0-9]+)?$/.test(value) &&
        Number(value) >= field.min &&
        Number(value) <= field.max &&
        Number(Number(value).toFixed(field.decimals)) === Number(value)
        ? undefined
        : field.say;
    case "text":
      return field.pattern.test(value) ? undefined : field.say;
    case "format":
      return value === "" ? field.missing : undefined;
    case "choice":
    case "factor":
    case "colour":
      return value === "" ? field.say : undefined;
    case "flag":
      return undefined;
  }
}
