import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Manifest = { dependencies?: Record<string, string>; license?: string };
const manifest = (folder: string): Manifest => JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;

const shipped = [".", ...readdirSync("packages").map((name) => `packages/${name}`)]
  .flatMap((folder) => Object.keys(manifest(folder).dependencies ?? {}))
  .filter((name) => !name.startsWith("@tintype/"));
const rows = readFileSync("THIRD_PARTY.md", "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "));

test.each([...new Set(shipped)])("%s is named in THIRD_PARTY.md with its licence", (name) => {
  const row = rows.find((line) => line.includes(`\`${name}\``)) ?? "";
  const { license = "" } = manifest(`node_modules/${name}`);
  // A package may refer to a file and name the licence in parentheses: "SEE LICENSE IN X (CC-BY-4.0)".
  const licence = /\(([^)]+)\)$/.exec(license)?.[1] ?? license;
  expect(row.replaceAll("-", " ")).toContain(licence.replaceAll("-", " "));
});
