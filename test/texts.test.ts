import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { text } from "../packages/contract/src/index.ts";

const sources = ["packages/server/src", "packages/web/app", "packages/imaging/src", "packages/contract/src"]
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)))
  .filter((path) => /[.]tsx?$/.test(path) && !/[.]test[.]tsx?$/.test(path));
const code = sources.map((path) => readFileSync(path, "utf8")).join("\n");

// product: replaced-texts
test("every sentence of the catalogue is shown somewhere, or listed as replaced with its reason", () => {
  const unused = Object.keys(text).filter((name) => !new RegExp(`\\btext[.]${name}\\b`).test(code));
  const listed = [...readFileSync("docs/replaced-texts.md", "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(unused).toEqual(listed);
});
