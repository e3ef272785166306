import { type OperationName, previewedOperations, usualQuality } from "@tintype/contract";
import { fieldValue, formFields, settingObstacle } from "../../state/form-fields.ts";
import type { Picture } from "../../state/picture.ts";
import type { ToolSettings } from "../../state/settings.ts";

/** Whether the tool's result can be shown before it is paid for. A network makes a whole result of any part. */
export const isPreviewed = (tool: OperationName): boolean => previewedOperations.some((name) => name === tool);

/** A moving picture and a drawing have no part that could be shown. */
export const hasParts = ({ format, file, fault }: Picture): boolean =>
  file !== undefined && fault === undefined && format !== "gif" && format !== "svg";

/** The operation and its options, as a preview asks for them; a sentence where the settings are not complete. */
export function wishOf(
  tool: OperationName,
  settings: ToolSettings,
): { operation: OperationName; options: Record<string, string> } | { missing: string } {
  const complete =
    tool === "compress" && settings.aim !== "size" && !fieldValue("compress", settings, "quality")
      ? { ...settings, quality: String(usualQuality.compress) }
      : settings;
  const obstacle = settingObstacle(tool, complete);
  if (obstacle) return { missing: obstacle.sentence };
  const options = Object.fromEntries(
    Object.entries(formFields(tool, complete)).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    ),
  );
  return { operation: tool, options };
}
