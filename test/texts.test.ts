import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { errors, text } from "../packages/contract/src/index.ts";
import { settings } from "../packages/server/src/config.ts";

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /[.]tsx?$/.test(path) && !/[.]test[.]tsx?$/.test(path));
const sources = ["server/src", "web/app", "imaging/src", "codecs/src", "contract/src"].flatMap((folder) =>
  sourcesIn(join("packages", folder)),
);
const code = sources.map((path) => readFileSync(path, "utf8")).join("\n");

// product: replaced-texts
test("every sentence of the catalogue is shown somewhere, or listed as replaced with its reason", () => {
  const unused = Object.keys(text).filter((name) => !new RegExp(`\\btext[.]${name}\\b`).test(code));
  const listed = [...readFileSync("docs/replaced-texts.md", "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(unused).toEqual(listed);
});

/** Names such as `PORT` are also words: only names with an underscore can be distinguished from prose. */
const settingNames = Object.keys(settings).filter((name) => name.includes("_"));
const namesSetting = (sentence: string) => settingNames.some((name) => new RegExp(`\\b${name}\\b`).test(sentence));

/** Strings that name a setting, except in what only the log shows: log calls, `cause` and `setting`. */
function settingsShown(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /(^|[.])log[.]\w+$/.test(node.expression.getText())) return;
    if (ts.isPropertyAssignment(node) && /^(cause|setting)$/.test(node.name.getText())) return;
    if ((ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && namesSetting(node.getText()))
      found.push(node.getText());
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.tsx", source, ts.ScriptTarget.Latest, true));
  return found;
}

// product: settings-unseen
test("no sentence that a caller or a person can see names a setting of the operator", () => {
  const shown = Object.values(errors).map(({ title, detail }) => `${title}: ${detail}`);
  expect(shown.filter(namesSetting)).toEqual([]);
  const answering =
    /^packages[/](server[/]src[/](features|http)|web[/]app|imaging[/]src|codecs[/]src|contract[/]src)[/]|platform[/]mail-layout/;
  const seen = sources.filter((path) => answering.test(path) && !path.includes("/testing/"));
  expect(seen.length).toBeGreaterThan(500);
  expect(seen.flatMap((path) => settingsShown(readFileSync(path, "utf8")).map((one) => `${path}: ${one}`))).toEqual([]);
  const pages = readdirSync("packages/web/app/content", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join("packages/web/app/content", name), "utf8"));
  expect(pages.length).toBeGreaterThan(5);
  expect(pages.filter(namesSetting)).toEqual([]);
  // The search does find such a name.
  const wrong = 'throw new DomainError("not-found", { detail: "Set TINTYPE_HOSTS.", cause: "TINTYPE_HOSTS" })';
  expect(settingsShown(wrong)).toEqual(['"Set TINTYPE_HOSTS."']);
});

// product: coded-notes
test("engines send codes: no error of theirs has a sentence of its own", () => {
  const engines = sources.filter((path) => /^packages[/](imaging|codecs)[/]src[/]/.test(path));
  expect(engines.length).toBeGreaterThan(300);
  const hasSentence = (source: string) => /\b(?:Domain|Codec)Error\([^;]*\bdetail\b/.test(source);
  expect(engines.filter((path) => hasSentence(readFileSync(path, "utf8")))).toEqual([]);
  expect(hasSentence('throw new DomainError("gone", {\n detail: "Gone." });')).toBe(true);
});

test("the sentences of notes and reasons say image, not picture", () => {
  const shown = ["notes", "reasons", "sentence-parts"]
    .map((name) =>
      readFileSync(`packages/contract/src/facts/${name}.ts`, "utf8").replaceAll(/^\s*(?:\/\/|\/\*|\*).*$/gm, ""),
    )
    .flatMap((source) => source.match(/"[^"\n]*"|`[^`]*`/g) ?? [])
    .filter((literal) => literal.includes(" "));
  expect(shown.length).toBeGreaterThan(150);
  expect(
    shown.map((literal) => literal.replaceAll(/\$\{[^}]*\}/g, "")).filter((one) => /\bpictures?\b/i.test(one)),
  ).toEqual([]);
});

// product: one-locale
test("dates, numbers, names and lists are written by the locales of facts/locale.ts, and no other", () => {
  const shown = [
    ...sources,
    ...sourcesIn("packages/cli/src"),
    ...sourcesIn("packages/mcp/src"),
    ...sourcesIn("packages/toolkit/src"),
  ];
  const foundIn = (source: string) => [
    ...(source.match(/\bIntl\.\w+\((?!locale\b|listLocale\b|priceLocale\(currency\))[^)]*/g) ?? []),
    ...(source.match(/\.toLocale\w*\((?!locale\b)[^)]*/g) ?? []),
    ...(source.match(/["'`]en-[A-Z]{2}["'`]/g) ?? []),
  ];
  const others = shown.filter((path) => path !== "packages/contract/src/facts/locale.ts");
  expect(others.flatMap((path) => foundIn(readFileSync(path, "utf8")).map((one) => `${path}: ${one}`))).toEqual([]);
  // The search does find them.
  const wrong = 'new Intl.DateTimeFormat("en"); new Intl.ListFormat(); (1).toLocaleString("en"); ["en-US"]';
  expect(foundIn(wrong)).toEqual(['Intl.DateTimeFormat("en"', "Intl.ListFormat(", '.toLocaleString("en"', '"en-US"']);
});
