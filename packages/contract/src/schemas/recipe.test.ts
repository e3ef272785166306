import { expect, test } from "vitest";
import { recipeSteps } from "./recipe.ts";

test("a watermark in a recipe is a text, since a recipe has no files", () => {
  expect(recipeSteps.safeParse([{ watermark: { text: "© Example" } }]).success).toBe(true);
  expect(recipeSteps.safeParse([{ watermark: { size: 20 } }]).error?.issues).toEqual([
    expect.objectContaining({ path: [0, "watermark", "text"], message: "Type a text or choose a logo." }),
  ]);
});

test("steps may name one page of a document, and not two", () => {
  const read = (...steps: unknown[]) => recipeSteps.safeParse(steps);
  const to = (page?: number) => ({ convert: { target_format: "png", ...(page && { page }) } });
  expect(read({ resize: { width: 9, page: 2 } }, to(2)).success).toBe(true);
  expect(read({ resize: { width: 9 } }, to(3)).success).toBe(true);
  expect(read({ resize: { width: 9, page: 2 } }, to()).success).toBe(true);
  expect(read({ resize: { width: 9, page: 2 } }, to(), { compress: { quality: 5, page: 3 } }).error?.issues).toEqual([
    expect.objectContaining({ path: [2, "compress", "page"], message: expect.stringContaining("one page") }),
  ]);
});
