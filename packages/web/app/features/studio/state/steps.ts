import { mostRecipeSteps, type OperationName, operationNames, type WrittenStep } from "@tintype/contract";
import { fieldValue, formFields, formOf, settingObstacle } from "./form-fields.ts";
import { hasFrame, stepsOf } from "./frame.ts";
import { defaultSettings, type Settings } from "./settings.ts";
import type { OtherSteps, ToolSettings } from "./studio-state.ts";

// The studio's form is one step of a recipe; the others are kept as a recipe writes them.

type Setup = { tool: OperationName; settings: Settings; others?: OtherSteps | undefined };

/** One tool's settings in a whole set. */
export const wholeSettings = (tool: OperationName, settings: Settings[OperationName]): Settings => ({
  ...defaultSettings,
  [tool]: settings,
});

/** The tool's step as a recipe writes it: the options that differ from their defaults, numbers and flags as such. */
export function writeStep(tool: OperationName, settings: Settings): WrittenStep {
  const { fields } = formOf(tool);
  const options = Object.entries(formFields(tool, settings)).flatMap(([name, text]): [string, unknown][] => {
    // A blank background is a transparent one; the server judges the source's format by content.
    if (typeof text !== "string" || text === "" || name === "source_format") return [];
    if (text === fieldValue(tool, {}, name) || (name === "background" && text === "transparent")) return [];
    const kind = fields[name]?.kind;
    return [[name, kind === "integer" || kind === "factor" ? Number(text) : kind === "flag" ? text === "true" : text]];
  });
  return { [tool]: Object.fromEntries(options) };
}

/** A step of a recipe as the studio's form; undefined where the form has no place for it, or its options cannot be. */
export function readStep(step: WrittenStep): { tool: OperationName; settings: Settings[OperationName] } | undefined {
  const [name, ...more] = Object.keys(step);
  const tool = operationNames.find((one) => one === name);
  const options = tool && step[tool];
  if (!tool || more.length > 0 || typeof options !== "object" || options === null) return undefined;
  const { fields, secondPicture } = formOf(tool);
  const texts: Record<string, string> = {};
  for (const [option, value] of Object.entries(options)) {
    if (!(option in fields) || !["string", "number", "boolean"].includes(typeof value)) return undefined;
    texts[option] = String(value).slice(0, 200);
  }
  const { background, ...rest } = texts;
  const isColour = secondPicture !== undefined && background !== undefined && background !== "transparent";
  if (isColour && !/^#[0-9a-f]{6}$/i.test(background)) return undefined;
  // The form takes a quality or a size, and sides or a percentage: it shows the one that the step has.
  if ("quality" in rest && "max_bytes" in rest) return undefined;
  const settings = {
    ...rest,
    ...("max_bytes" in rest ? { aim: "size" } : {}),
    ...("percent" in rest ? { unit: "percent" } : {}),
    ...(isColour ? { ground: "colour", colour: background } : {}),
  } as Settings[OperationName]; // by its form's own names
  return settingObstacle(tool, wholeSettings(tool, settings)) ? undefined : { tool, settings };
}

/** All steps in order, the form's among them. */
export const allSteps = ({ tool, settings, others }: Setup): readonly WrittenStep[] => [
  ...(others?.before ?? []),
  writeStep(tool, settings),
  ...(others?.after ?? []),
];

/** The steps that a batch is sent with: those of the frame come before all others. */
export function sentSteps(setup: Setup): readonly WrittenStep[] {
  const { frame } = setup.settings[setup.tool];
  return [...(hasFrame(frame) ? stepsOf(frame) : []), ...allSteps(setup)];
}

/** The operations of all steps in order. */
export const stepNames = ({ tool, others }: Pick<ToolSettings, "tool" | "others">): readonly OperationName[] => [
  ...(others?.before ?? []).flatMap(nameOfStep),
  tool,
  ...(others?.after ?? []).flatMap(nameOfStep),
];
export const nameOfStep = (step: WrittenStep): OperationName[] => operationNames.filter((name) => name in step);

export type Chosen = {
  tool: OperationName;
  settings: Settings[OperationName];
  others: OtherSteps | undefined;
};

/**
 * These steps with the form at one of them, the last if none is named; undefined where the studio cannot show one of them, or
 * where there are too many.
 */
export function chooseStep(steps: readonly WrittenStep[], index = steps.length - 1): Chosen | undefined {
  const own = steps[index];
  const read = steps.map(readStep);
  const here = read[index];
  if (!own || !here || steps.length > mostRecipeSteps || read.includes(undefined)) return undefined;
  const others = { before: steps.slice(0, index), after: steps.slice(index + 1) };
  return { ...here, others: steps.length === 1 ? undefined : others };
}

/** The reason that a step cannot be part of a recipe; undefined where it can. */
export function recipeObstacle({ tool, settings }: Setup): string | undefined {
  const obstacle = settingObstacle(tool, settings);
  if (obstacle) return obstacle.sentence;
  return Object.values(formFields(tool, settings)).some((value) => typeof value !== "string")
    ? "A recipe holds no pictures. Choose a colour as the background."
    : undefined;
}
