import { type AuxiliaryFile, type Field, manifestOf, type OperationName } from "@tintype/contract";
import type { Obstacle } from "./obstacle.ts";
import type { FieldName, Settings, ToolSettings } from "./settings.ts";

/** The value of a tool's field: as set, or else its default, or else an empty string. */
export function fieldValue<Tool extends OperationName>(
  tool: Tool,
  values: Settings[Tool],
  name: FieldName<Tool> | (string & {}),
): string {
  const field = manifestOf(tool).fields[name];
  const set = (values as Readonly<Record<string, string | File | undefined>>)[name]; // manifest fields hold strings
  if (typeof set === "string") return set;
  return field && "default" in field && field.default !== undefined ? String(field.default) : "";
}

/** The form fields sent with the pictures. A file among them is an input of the tool, not a picture to process. */
export function formFields(tool: OperationName, values: ToolSettings): Record<string, string | File> {
  const background = backgroundOf(tool);
  const texts = textsOf(tool, values);
  const logo = logoIn(tool, values);
  if (logo) return { ...texts, ...logo };
  if (!background) return texts;
  const { ground, colour = defaultColour, picture } = values;
  return {
    ...texts,
    background: ground === "colour" ? colour : "transparent",
    ...(ground === "picture" && picture && !isMask(texts) ? { [background.field]: picture } : {}),
  };
}

/** The auxiliary file of a tool whose results may have a picture behind the subject. */
export const backgroundOf = (tool: OperationName): AuxiliaryFile | undefined =>
  manifestOf(tool).auxiliaryFiles?.find(({ role }) => role === "background");

/** The logo of a watermark, by its field; undefined if it is none. */
function logoIn(tool: OperationName, { mark, picture }: ToolSettings): Record<string, File> | undefined {
  const logo = manifestOf(tool).auxiliaryFiles?.find(({ role }) => role === "logo");
  return logo && mark === "logo" && picture ? { [logo.field]: picture } : undefined;
}

const ofCanvas = ["canvas", "position", "padding"];

/** Whether the result of a resize is on a canvas. */
export const hasCanvas = (values: Settings["resize"]): boolean => textsOf("resize", values)["canvas"] !== "";

/** Whether a result shows its picture elsewhere than a centred crop would, so that the two cannot be laid over each other. */
export function isMovedPicture(tool: OperationName, values: ToolSettings): boolean {
  const { canvas = "", gravity = "" } = tool === "resize" ? textsOf(tool, values) : {};
  return canvas !== "" || gravity !== "";
}

/** The text of each field. In a choice between fields, the one not chosen is blank. */
function textsOf(tool: OperationName, values: ToolSettings): Record<string, string> {
  const texts = Object.fromEntries(
    Object.keys(manifestOf(tool).fields).map((name) => [name, fieldValue(tool, values, name).trim()]),
  );
  const blank = (...names: string[]) =>
    Object.fromEntries(names.filter((name) => name in texts).map((name) => [name, ""]));
  if (tool === "resize") {
    if (values.unit === "percent") return { ...texts, ...blank("width", "height", "enlarge", ...ofCanvas, "gravity") };
    // Leave a default out, so that the same result has one work key.
    const isDefault = texts["enlarge"] === String(texts["method"] !== "fit");
    const hasBox = texts["width"] !== "" && texts["height"] !== "";
    return {
      ...texts,
      ...blank("percent"),
      ...(isDefault ? blank("enlarge") : {}),
      ...(hasBox && texts["method"] === "fit" && texts["canvas"] !== "" ? {} : blank(...ofCanvas)),
      ...(texts["position"] === "centre" ? blank("position") : {}),
      ...(hasBox && texts["method"] === "fill" && texts["gravity"] !== "centre" ? {} : blank("gravity")),
    };
  }
  if (tool === "watermark" && values.mark === "logo") return { ...texts, ...blank("text") };
  if (values.aim !== "size") return { ...texts, ...blank("max_bytes") };
  return "max_bytes" in texts ? { ...texts, quality: values.ceiling ?? "" } : { ...texts, ...blank("quality") };
}

export const defaultColour = "#ffffff";

/** Whether only the matte is wanted, which has no background. */
const isMask = (texts: Record<string, string>) => texts["mask_only"] === "true";

/** The first invalid field of the tool, and why; undefined if all are valid. */
export function settingObstacle(tool: OperationName, values: ToolSettings): Obstacle | undefined {
  const { fields, oneOf } = manifestOf(tool);
  const texts = textsOf(tool, values);
  if (values.aim === "size" && "max_bytes" in texts && faultOf(fields["max_bytes"], texts["max_bytes"] ?? "", false))
    return { field: "max_bytes", sentence: "Please enter the size in KB, from 1 to 200,000." };
  const [firstOf] = oneOf?.fields ?? [];
  if (oneOf && firstOf && !logoIn(tool, values) && oneOf.fields.every((name) => !texts[name]))
    return { field: values.unit === "percent" ? "percent" : firstOf, sentence: oneOf.message };
  for (const [name, field] of Object.entries(fields)) {
    const sentence = faultOf(field, texts[name] ?? "");
    if (sentence) return { field: name, sentence };
  }
  if (backgroundOf(tool) && values.ground === "picture" && !isMask(texts) && !values.picture)
    return { field: "background", sentence: "Please choose a background image." };
  return undefined;
}

/** Why a field's value is invalid. Client-side only: the server validates all fields again. */
function faultOf(field: Field | undefined, value: string, mayBeBlank = true): string | undefined {
  if (!field) return undefined;
  const isBlankAllowed = mayBeBlank && "optional" in field && field.optional;
  if (value === "" && isBlankAllowed) return undefined;
  switch (field.kind) {
    case "integer":
      return /^[0-9]{1,9}$/.test(value) && Number(value) >= field.min && Number(value) <= field.max
        ? undefined
        : field.message;
    case "decimal":
      return /^[+-]?[0-9]{1,9}([.][0-9]+)?$/.test(value) &&
        Number(value) >= field.min &&
        Number(value) <= field.max &&
        Number(Number(value).toFixed(field.decimals)) === Number(value)
        ? undefined
        : field.message;
    case "text":
      return field.pattern.test(value) ? undefined : field.message;
    case "format":
      return value === "" ? field.missing : undefined;
    case "choice":
    case "factor":
    case "colour":
      return value === "" ? field.message : undefined;
    case "flag":
      return undefined;
  }
}
