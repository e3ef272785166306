import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Generated from the OpenAPI document, which has its own names. */
const isGenerated = (path: string) => path.includes("/src/generated/");

/** Names that both entry points of a package export. */
const exceptions: Record<string, readonly string[]> = { client: ["FileInput", "Tintype"] };

function typeNames(source: string): string[] {
  const declarations = source.matchAll(/^export (?:declare )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm);
  return [...declarations].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function doubles(files: readonly { path: string; source: string }[]): string[] {
  const owners = new Map<string, string[]>();
  for (const { path, source } of files) {
    const name = path.split("/")[1] ?? "";
    for (const type of typeNames(source)) {
      if (exceptions[name]?.includes(type)) continue;
      const key = `${name}: ${type}`;
      owners.set(key, [...(owners.get(key) ?? []), path]);
    }
  }
  return [...owners].filter(([, paths]) => paths.length > 1).map(([key, paths]) => `${key} in ${paths.join(", ")}`);
}

test("a name of an exported type means one thing inside a package", () => {
  const paths = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "packages/*/src/*.ts"], {
    encoding: "utf8",
  })
    .trim()
    .split("\n")
    // git still lists a deleted file until the deletion is committed.
    .filter((path) => !isGenerated(path) && existsSync(path));
  const files = paths.map((path) => ({ path, source: readFileSync(path, "utf8") }));
  expect(files.length).toBeGreaterThan(300);
  expect(doubles(files)).toEqual([]);
});

test("two exports of one name in a package are found, and in two packages they may stand", () => {
  const file = (path: string) => ({ path, source: "export type Claim = string;\n" });
  expect(doubles([file("packages/server/src/a.ts"), file("packages/web/src/a.ts")])).toEqual([]);
  expect(doubles([file("packages/server/src/a.ts"), file("packages/server/src/b.ts")])).toEqual([
    "server: Claim in packages/server/src/a.ts, packages/server/src/b.ts",
  ]);
});
