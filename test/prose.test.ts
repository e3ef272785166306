import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// CONTRIBUTING.md, "Prose": name the actor and the identifier, one fact per sentence. These phrases hide both.

const phrases: { pattern: RegExp; better: string }[] = [
  {
    pattern: /(?:^|[.:;!?*_)]\s+)(?:What|Who|Whoever|Whose|Whom|Where|Nobody)\b(?![^.!?]*\?)/,
    better: "begin the sentence with its actor: `If ...`, `The fields of ...`",
  },
  { pattern: /\bso that\b/i, better: "a new sentence, a colon, or `to`" },
  { pattern: /\banew\b/i, better: "again" },
  { pattern: /\bfor to\b/i, better: "to" },
  { pattern: /\bnobody\b/i, better: "the actor: `no caller`, `no process`" },
  { pattern: /\bin vain\b|\bthe more so\b|\bheretofore\b|\bwhereof\b|\bthereof\b/i, better: "plain words" },
  { pattern: /\bsqueez|\buntidy\b|\bribbons?\b/i, better: "the field's term" },
];

/** Sentences of the website (packages/web/app/content) are no documentation; migrations and .gen.ts files are written by tools. */
const isRead = (path: string) =>
  !/^packages\/web\/app\/content\/|^packages\/server\/migrations\/|[.]gen[.]ts$|^LICENSE|^docs\/replaced-texts|^test\/prose[.]test/.test(
    path,
  ) && existsSync(path);

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter(isRead);

/** The contract's own sentences, which stand in the OpenAPI document and in generated clients. */
const describing = /^packages\/contract\/src\//;
const descriptions = /(?:\b(?:description|summary|describe):\s*|^\s+)"([^"]+)"/;

/** Markdown as it stands; of code the comments and the contract's descriptions. Marks of lists, headings and tables go. */
function proseOf(path: string, text: string): string[] {
  const lines = text.split("\n");
  if (path.endsWith(".md")) return lines.map((line) => line.replace(/^\s*(?:[-*|#>]+|[0-9]+[.])\s+/, ""));
  return lines.map((line) => {
    const comment = /(?:^|\s)(?:\/\/|\/\*\*?|\*|#)\s+(.*)$/.exec(line)?.[1];
    return comment ?? (describing.test(path) ? descriptions.exec(line)?.[1] : undefined) ?? "";
  });
}

const faultsOf = (path: string, text: string) =>
  proseOf(path, text).flatMap((line, index) =>
    phrases
      .filter(({ pattern }) => pattern.test(line))
      .map(({ better }) => `${path}:${index + 1}: ${line.trim()} -> ${better}`),
  );

/** Titles of tests are sentences too; they begin with a small letter. */
const titles = /\b(?:test|describe)(?:\.\w+)*(?:\([^)]*\))?\(\s*"([^"]+)"/g;

const faultsOfTitles = (path: string, text: string) =>
  [...text.matchAll(titles)]
    .flatMap(([, title = ""]) => faultsOf("title.md", title[0]?.toUpperCase() + title.slice(1)))
    .map((fault) => fault.replace("title.md:1", path));

test("documents and comments avoid the phrases that were hard to read", () => {
  const read = files.filter((path) => /[.](?:md|tsx?|mjs|css|sh|py|ya?ml)$/.test(path));
  expect(read.length).toBeGreaterThan(500);
  expect(read.flatMap((path) => faultsOf(path, readFileSync(path, "utf8")))).toEqual([]);
});

test("titles of tests avoid them too", () => {
  const read = files.filter((path) => /[.](?:test|spec)[.]tsx?$/.test(path));
  expect(read.length).toBeGreaterThan(150);
  expect(read.flatMap((path) => faultsOfTitles(path, readFileSync(path, "utf8")))).toEqual([]);
  expect(faultsOfTitles("a.test.ts", 'test("what is left is kept", () => {});')).toHaveLength(1);
});

test.each([
  ["a.md", "It is kept. What is not asked for goes."],
  ["a.md", "- Where it is, it stays."],
  ["a.ts", "const a = 1; // held, so that others wait"],
  ["a.ts", "/** Who asks. */"],
  ["a.ts", " * begins anew"],
  ["a.ts", "/** Whose it is. */"],
  ["packages/contract/src/a.ts", 'summary: "What a batch would cost",'],
  ["a.yaml", "# nobody waits"],
])("%s with %j is refused", (path, line) => {
  expect(faultsOf(path, line)).toHaveLength(1);
});

test.each([
  ["a.md", "What is new? The list."],
  ["a.ts", 'const said = "so that";'],
  ["a.ts", "// the place where it lies"],
])("%s with %j is taken", (path, line) => {
  expect(faultsOf(path, line)).toEqual([]);
});
