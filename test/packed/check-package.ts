import { execFile } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Packed } from "./pack.ts";

const run = promisify(execFile);
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

/** Checks that a package that bundles the engine is complete and needs no other package of this repository. */
export async function checkPackage({ folder, tarballs }: Packed, name: string): Promise<void> {
  const root = join(folder, "node_modules", name);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
  expect(readdirSync(root).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  expect(Object.keys(manifest.dependencies).filter((one) => one.startsWith("@tintype/"))).toEqual([]);
  const others = globSync("node_modules/{tintype,@tintype/*}", { cwd: folder });
  expect(others).toEqual([join("node_modules", name)]);
  expect(readFileSync(join(root, "dist/LICENCES.txt"), "utf8")).toMatch(/^zod .*MIT/m);
  const code = globSync("dist/**/*.js", { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8"),
  }));
  // The kernels are in the code: each module starts with WebAssembly's "\0asm" and version 1.
  const kernels = readdirSync("packages/codecs/src/kernels/assembly").filter((file) => /[.]ts$/.test(file));
  const held = new Set(code.flatMap(({ text }) => text.match(/["'`]AGFzbQEAAA[\w+/]*/g) ?? []));
  expect(held.size).toBe(kernels.length);
  // The repository runs on Node.js 24, and the compiler does not report what Node.js 20 lacks.
  for (const { file, text } of code)
    expect(text, file).not.toMatch(
      /\b(?:Float16Array|Promise\.try|RegExp\.escape|(?:Object|Map)\.groupBy|Array\.fromAsync|Promise\.withResolvers)\b/,
    );
  // Cache keys contain the digest of the engine's sources, which are not part of the package.
  // The value is not compared, because another test may temporarily add a file to the sources.
  expect(code.some(({ text }) => /engineVersion = \(\) => "[0-9a-f]{16}"/.test(text))).toBe(true);
  for (const tarball of tarballs) {
    await run(process.execPath, [tool("publint/src/cli.js"), "--strict", tarball]);
    const types = [tool("@arethetypeswrong/cli/dist/index.js"), tarball, "--profile", "esm-only", "--no-emoji"];
    await run(process.execPath, types);
  }
}
