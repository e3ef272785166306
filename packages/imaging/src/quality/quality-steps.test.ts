import { expect, test } from "vitest";
import { coarsestStep, type QualitySteps } from "./quality-steps.ts";

const steps = Array.from({ length: 15 }, (_, i) => i) as unknown as QualitySteps<number>;
/** Scores that rise by `slope` per step on average, but unevenly. */
const scoreOf = (slope: number) => (step: number) => 20 + slope * step + (step % 3);

test.each([2, 5, 8, 20])("scores that rise by %d a step lead to the same step, whatever was guessed", (slope) => {
  const score = scoreOf(slope);
  for (const pointsPerStep of [1, 8, 30])
    for (let target = 10; target < 20 + slope * 16; target += 1.3)
      expect(coarsestStep(steps, { target, score, pointsPerStep })).toBe(coarsestStep(steps, { target, score }));
});

test("a good guess saves scores, and a bad one costs few", () => {
  const triesOf = (slope: number, pointsPerStep?: number) => {
    let tries = 0;
    for (let target = 10; target < 20 + slope * 16; target += 1.3) {
      const score = (step: number) => {
        tries += 1;
        return scoreOf(slope)(step);
      };
      coarsestStep(steps, { target, score, ...(pointsPerStep ? { pointsPerStep } : {}) });
    }
    return tries;
  };
  expect(triesOf(8, 8)).toBeLessThan(triesOf(8) * 0.8);
  expect(triesOf(8, 1)).toBeLessThan(triesOf(8) * 1.6);
});
