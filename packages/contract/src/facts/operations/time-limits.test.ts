import { expect, test } from "vitest";
import { taskOptions } from "../../schemas/options.ts";
import { costsCredits, taskNames } from "./index.ts";
import { timeLimitForSize, timeLimitsOf } from "./time-limits.ts";

test("free tasks have 10 seconds, whatever the format; only the edit of a paid cut-out has more", () => {
  for (const task of taskNames.filter((name) => !costsCredits(name) && name !== "edit"))
    for (const format of ["png", "svg", undefined] as const)
      expect(timeLimitsOf(task, format)).toEqual({ timeLimitMs: 10_000 });
});

test("an SVG has 10 seconds to be drawn, whatever is done to it", () => {
  for (const task of taskNames) {
    const { timeLimitMs, firstProgressLimitMs = timeLimitMs } = timeLimitsOf(task, "svg");
    expect(firstProgressLimitMs).toBe(10_000);
  }
  expect(timeLimitsOf("convert", "jpeg").timeLimitMs).toBeGreaterThan(10_000);
});

test("every task has a limit of time by the picture's megapixels, within its own", () => {
  for (const task of taskNames) {
    const { timeLimitMs } = timeLimitsOf(task, "png");
    const limits = [0.01, 1, 24, 200].map((megapixels) => timeLimitForSize(task, megapixels));
    expect(limits).toEqual(limits.toSorted((a, b) => a - b));
    expect(Math.max(...limits)).toBeLessThanOrEqual(timeLimitMs);
  }
  expect(timeLimitForSize("compress", 1)).toBeLessThan(timeLimitsOf("compress", "png").timeLimitMs / 4);
});

// product: preview-bounded
test("a preview has at most 1,024 px on its longer side", () => {
  expect(taskOptions.preview.parse({ side: "1024" })).toMatchObject({ side: 1024 });
  expect(taskOptions.preview.safeParse({ side: "1025" }).error?.issues[0]?.message).toBe(
    "The side must be between 16 and 1024.",
  );
});
