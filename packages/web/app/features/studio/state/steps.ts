import {
  isLastStep,
  manifestOf,
  maxRecipeSteps,
  type OperationName,
  operationNames,
  type WrittenStep,
} from "@tintype/contract";
import { backgroundOf, fieldValue, formFields, settingObstacle } from "./form-fields.ts";
import type { Settings, ToolSettings } from "./settings.ts";

/**
 * What the studio is set to do: steps in order, in the format of a recipe. The form shows the step under the cursor; `tool` and
 * `settings` are that step as typed.
 */
export type Plan = { tool: OperationName; settings: ToolSettings; steps: readonly WrittenStep[]; cursor: number };

/** The tool's step in the format of a recipe: only non-default options, numbers and flags as JSON numbers and booleans. */
export function writeStep(tool: OperationName, settings: ToolSettings): WrittenStep {
  const { fields } = manifestOf(tool);
  const options = Object.entries(formFields(tool, settings)).flatMap(([name, text]): [string, unknown][] => {
    // A blank background is transparent, and the server detects the source format from the content.
    if (typeof text !== "string" || text === "" || name === "source_format") return [];
    if (text === fieldValue(tool, {}, name) || (name === "background" && text === "transparent")) return [];
    const kind = fields[name]?.kind;
    const isNumber = kind === "integer" || kind === "decimal" || kind === "factor";
    return [[name, isNumber ? Number(text) : kind === "flag" ? text === "true" : text]];
  });
  return { [tool]: Object.fromEntries(options) };
}

/** A recipe's step as settings of the form; undefined if the form cannot show it or its options are invalid. */
export function readStep(step: WrittenStep): { tool: OperationName; settings: ToolSettings } | undefined {
  const [name, ...more] = Object.keys(step);
  const tool = operationNames.find((one) => one === name);
  const options = tool && step[tool];
  if (!tool || isLastStep(tool) || more.length > 0 || typeof options !== "object" || options === null) return undefined;
  const { fields } = manifestOf(tool);
  const texts: Record<string, string> = {};
  for (const [option, value] of Object.entries(options)) {
    if (!(option in fields) || !["string", "number", "boolean"].includes(typeof value)) return undefined;
    texts[option] = String(value).slice(0, 200);
  }
  const { background, ...rest } = texts;
  const isColour = backgroundOf(tool) && background !== undefined && background !== "transparent";
  if (isColour && !/^#[0-9a-f]{6}$/i.test(background)) return undefined;
  // The form takes either a quality or a size, and either sides or a percentage: choose what the step has.
  const { quality, ...others } = rest;
  const settings: ToolSettings = {
    ...("max_bytes" in rest ? others : rest),
    ...("max_bytes" in rest ? { aim: "size", ...(quality === undefined ? {} : { ceiling: quality }) } : {}),
    ...("percent" in rest ? { unit: "percent" } : {}),
    ...(isColour ? { ground: "colour", colour: background } : {}),
  };
  return settingObstacle(tool, settings) ? undefined : { tool, settings };
}

/** The plan with a single tool. */
export const planOf = (tool: OperationName, settings: Settings): Plan => ({
  tool,
  settings: settings[tool],
  steps: [writeStep(tool, settings[tool])],
  cursor: 0,
});

/**
 * These steps with the form at `cursor`, by default the last step; undefined if the studio cannot show one of them or there are
 * too many.
 */
export function chooseStep(steps: readonly WrittenStep[], cursor = steps.length - 1): Plan | undefined {
  const read = steps.map(readStep);
  const here = read[cursor];
  if (!here || steps.length > maxRecipeSteps || read.includes(undefined)) return undefined;
  return { ...here, steps, cursor };
}

/** The operations of the steps, in order. */
export const stepNames = (steps: readonly WrittenStep[]): readonly OperationName[] =>
  steps.flatMap((step) => operationNames.filter((name) => name in step));

export const isRecipe = ({ steps }: Pick<Plan, "steps">): boolean => steps.length > 1;

/** Why a step cannot be part of a recipe; undefined if it can. */
export function recipeObstacle({ tool, settings }: Pick<Plan, "tool" | "settings">): string | undefined {
  const obstacle = settingObstacle(tool, settings);
  if (obstacle) return obstacle.sentence;
  return Object.values(formFields(tool, settings)).some((value) => typeof value !== "string")
    ? "A recipe cannot contain images. Choose a colour as the background."
    : undefined;
}
