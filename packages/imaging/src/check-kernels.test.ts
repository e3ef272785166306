import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { checkKernels } from "./check-kernels.ts";

test("without built kernels the operator is told what to do", () => {
  checkKernels();
  const folder = pathToFileURL(`${import.meta.dirname}/`);
  expect(() => checkKernels(folder)).toThrow("npm run build");
});
