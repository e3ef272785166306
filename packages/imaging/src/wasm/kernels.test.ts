import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const folder = dirname(import.meta.dirname);
const kernels = globSync("**/*.wat", { cwd: folder });

test.each(kernels)("%s is what its .wasm was made from", (name) => {
  const text = readFileSync(join(folder, name));
  const binary = new WebAssembly.Module(readFileSync(join(folder, name.replace(/\.wat$/, ".wasm"))));
  const [recorded] = WebAssembly.Module.customSections(binary, "source-sha256");
  expect(recorded && Buffer.from(recorded).toString("hex")).toBe(createHash("sha256").update(text).digest("hex"));
});
