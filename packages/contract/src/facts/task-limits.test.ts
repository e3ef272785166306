import { expect, test } from "vitest";
import { taskOptions } from "../schemas/options.ts";
import { timeLimitsOf } from "./operations/forms.ts";
import { costsCredits, taskNames } from "./operations/index.ts";

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

// product: preview-bounded
test("a preview has at most 2,048 px on its longer side", () => {
  expect(taskOptions.preview.parse({ side: "2048" })).toMatchObject({ side: 2048 });
  expect(taskOptions.preview.safeParse({ side: "2049" }).error?.issues[0]?.message).toBe(
    "Please give the side as 16 to 2048.",
  );
});
