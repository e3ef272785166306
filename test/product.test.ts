import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

// docs/product.md names each rule of the product. The test that verifies a rule has a comment directly above it:
// `// product: guest-allowance`.

const marked = /^\s*\/\/ product: ([a-z-]+(?:, [a-z-]+)*)\n\s*test\b/gm;

const rules = [...readFileSync("docs/product.md", "utf8").matchAll(/^- `([a-z-]+)`:/gm)].map(([, name = ""]) => name);

const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "packages", "test"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((path) => /[.](test|spec)[.]tsx?$/.test(path) && path !== "test/product.test.ts")
  // `npm run verify` does not run them, and it has to prove every rule.
  .filter((path) => !path.startsWith("test/generators/"));

test("each rule of docs/product.md is named by a test, and no test names a rule that is not there", () => {
  const named = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(marked)].flatMap(([, names = ""]) => names.split(", ")),
  );
  expect(rules.length).toBeGreaterThan(50);
  expect(new Set(rules).size).toBe(rules.length);
  expect([...new Set(named)].toSorted()).toEqual(rules.toSorted());
});

test("no document and no source cites a specification that is not in the repository", () => {
  const cited = (pattern: string) => {
    try {
      return execFileSync("git", ["grep", "-nE", pattern, "--", ":!test/product.test.ts"], { encoding: "utf8" });
    } catch {
      return ""; // git grep exits with 1 if it finds nothing
    }
  };
  expect(cited("\\bSPEC([.]md)?\\b")).toBe("");
  expect(cited("\\bproduct[.]md\\b")).not.toBe("");
});
