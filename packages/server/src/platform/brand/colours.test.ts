import fc from "fast-check";
import { expect, test } from "vitest";
import { accentColours, ContrastError, contrastOf } from "./colours.ts";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
const backgrounds = { paper: ["#fbf9f6", "#ffffff", "#f3efe9"], darkroom: ["#141110", "#1c1816", "#231e1b"] };

test("contrast is WCAG's", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("whatever accent is taken, text in it, text on buttons and the outline of the focus can be read in both lights", () => {
  fc.assert(
    fc.property(colour, colour, (paper, darkroom) => {
      let colours: ReturnType<typeof accentColours>;
      try {
        colours = accentColours({ paper, darkroom });
      } catch (problem) {
        expect(problem).toBeInstanceOf(ContrastError);
        return;
      }
      for (const light of ["paper", "darkroom"] as const) {
        const { accent, fill, fillHover, onFill, text } = colours[light];
        for (const behind of backgrounds[light]) {
          expect(contrastOf(accent, behind)).toBeGreaterThanOrEqual(3);
          expect(contrastOf(text, behind)).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrastOf(fill, onFill)).toBeGreaterThanOrEqual(4.5);
        expect(contrastOf(fillHover, onFill)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 500 },
  );
});

test("an accent that is lost on the page is refused with its contrast", () => {
  expect(() => accentColours({ paper: "#ffe680", darkroom: "#ffe680" })).toThrow(/1\.\d:1 on #f3efe9.*darker/);
  expect(() => accentColours({ paper: "#0b2e4f", darkroom: "#0b2e4f" })).toThrow(/:1 on #231e1b.*lighter/);
});
