import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settings } from "../packages/server/src/config.ts";

test("every setting is documented, and no documented one is a ghost", () => {
  const text = readFileSync("docs/configuration.md", "utf8");
  const documented = text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([A-Z_0-9]+)`/g)].map(([, name]) => name));
  expect(documented.toSorted()).toEqual(Object.keys(settings).toSorted());
});
