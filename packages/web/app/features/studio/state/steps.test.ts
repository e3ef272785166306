import { isLastStep, operationNames, presets, tasks } from "@tintype/contract";
import { recipeSteps } from "@tintype/contract/schemas";
import { expect, test } from "vitest";
import { after } from "../testing/pictures.ts";
import { priceOf } from "./order.ts";
import { chooseStep, readStep, recipeObstacle, stepNames, writeStep } from "./steps.ts";

test("a step holds what differs from its defaults, as numbers and flags", () => {
  const resize = { width: "1200", method: "fit" };
  expect(writeStep("resize", resize)).toEqual({ resize: { width: 1200, method: "fit" } });
  const cut = { crop: "true", ground: "colour", colour: "#ff0000" } as const;
  expect(writeStep("remove-background", cut)).toEqual({ "remove-background": { crop: true, background: "#ff0000" } });
  expect(writeStep("convert", { target_format: "webp", source_format: "png" })).toEqual({
    convert: { target_format: "webp" },
  });
});

test.each(presets.map(({ name, steps }) => [name, steps] as const))(
  "the preset %s stands in the form at each of its steps, and the server reads the steps that come of it",
  (_, steps) => {
    for (const index of steps.keys()) {
      const chosen = chooseStep(steps, index);
      if (!chosen) throw new Error("The form cannot show it");
      const { tool, settings, cursor } = chosen;
      const written = chosen.steps.with(cursor, writeStep(tool, settings));
      expect(recipeSteps.parse(written)).toEqual(recipeSteps.parse(steps));
      expect(stepNames(written)).toEqual(steps.flatMap((step) => Object.keys(step)));
    }
  },
);

test("every operation of the studio can be a step with its example, and goes through the form unchanged", () => {
  for (const operation of operationNames.filter((name) => !isLastStep(name))) {
    const step = { [operation]: tasks[operation].example };
    const read = readStep(step);
    expect(read?.tool).toBe(operation);
    const written = read && writeStep(operation, read.settings);
    expect(recipeSteps.parse([written])).toEqual(recipeSteps.parse([step]));
  }
});

test.each([
  ["an unknown operation", { sharpen: {} }],
  ["a web set", { "web-set": {} }],
  ["two operations in one step", { resize: { width: 10 }, compress: {} }],
  ["an unknown option", { resize: { width: 10, depth: 3 } }],
  ["an option that is no text, number or flag", { resize: { width: { min: 1 } } }],
  ["a width that no form takes", { resize: { width: 99_999 } }],
  ["nothing to resize to", { resize: {} }],
  ["a background that is no colour", { "remove-background": { background: "url(x)" } }],
])("%s is no step", (_, step) => {
  expect(readStep(step as object)).toBeUndefined();
});

test("more steps than a recipe may have are no recipe", () => {
  const step = { resize: { width: 10 } };
  expect(chooseStep(Array.from({ length: 6 }, () => step))).toBeDefined();
  expect(chooseStep(Array.from({ length: 7 }, () => step))).toBeUndefined();
});

test("a recipe costs a credit for each step with a network, and one at least", () => {
  const steps = (...all: object[]) => chooseStep(all);
  const price = (...all: object[]) => {
    const chosen = steps(...all);
    return chosen && priceOf(chosen.steps);
  };
  const [cut, up, small] = [{ "remove-background": {} }, { upscale: {} }, { resize: { width: 10 } }];
  expect([price(small), price(small, small), price(cut, small), price(cut, up, small)]).toEqual([1, 1, 1, 2]);
});

test("a picture behind the subject cannot be part of a recipe", () => {
  const picture = new File(["x"], "x.png");
  const settings = { ground: "picture", picture } as const;
  expect(recipeObstacle({ tool: "remove-background", settings })).toMatch(/cannot contain images/);
  expect(recipeObstacle({ tool: "compress", settings: {} })).toBe("Please enter a valid quality between 1 and 100.");
});

test("choosing steps sets the tool and its settings at once, and another tool keeps the others", () => {
  const chosen = chooseStep([{ resize: { width: 10 } }, { convert: { target_format: "webp" } }]);
  if (!chosen) throw new Error("The form cannot show it");
  const state = after([{ type: "steps-chosen", ...chosen }]);
  expect(state).toMatchObject({ tool: "convert", settings: { convert: { target_format: "webp" } } });
  const other = after([{ type: "tool-chosen", tool: "upscale" }], state);
  expect(stepNames(other.steps)).toEqual(["resize", "upscale"]);
});
