import { globSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import * as shrink from "./layout/shrink.ts";
import { checkKernels, compileKernel, startKernel } from "./start.ts";

const names = globSync("assembly/*.ts", { cwd: import.meta.dirname }).map((file) => basename(file, ".ts"));

test.each(names)("%s is compiled, and works on a memory that it is given", (name) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const kernel = startKernel<object>(compileKernel(name as "hold"), memory); // the folder has no others
  expect(Object.values(kernel).length).toBeGreaterThan(0);
  for (const exported of Object.values(kernel)) expect(exported).toBeInstanceOf(Function);
});

test("where the kernels are not built, the operator is told what to do", () => {
  const folder = pathToFileURL(`${import.meta.dirname}/layout/`);
  expect(() => checkKernels(folder)).toThrow("npm run build");
});

test("no table of a kernel's memory reaches into the next", () => {
  expect(shrink.values).toBeGreaterThanOrEqual(shrink.lights + 2 * 256);
  expect(shrink.tablesEnd).toBe(shrink.values + shrink.fullLight + 1);
  expect(shrink.fullWeight).toBe(2 ** shrink.weightBits);
});
