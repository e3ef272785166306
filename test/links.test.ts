import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const documents = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.md"], { encoding: "utf8" })
  .trim()
  .split("\n")
  // Articles link to pages of the site, which a separate test checks.
  .filter((path) => existsSync(path) && !path.startsWith("packages/web/app/content/"));

/** The anchors that GitHub generates for a document's headings. */
function fragmentsOf(text: string): string[] {
  return [...text.matchAll(/^#+ +(.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function deadLinks(path: string, text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^(https?|mailto):/.test(target) && !leadsSomewhere(path, target));
}

function leadsSomewhere(path: string, target: string): boolean {
  const [file = "", fragment] = target.split("#");
  const place = file ? normalize(join(dirname(path), decodeURIComponent(file))) : path;
  if (place.startsWith("..") || !existsSync(place)) return false;
  return fragment === undefined || fragmentsOf(readFileSync(place, "utf8")).includes(fragment);
}

test("every link of every document leads to a file or a heading of the repository", () => {
  expect(documents.length).toBeGreaterThan(25);
  const dead = documents.flatMap((path) =>
    deadLinks(path, readFileSync(path, "utf8")).map((target) => `${path}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("every page of docs is on the map, docs/README.md", () => {
  const map = readFileSync("docs/README.md", "utf8");
  const pages = documents.filter((path) => /^docs\/[^/]+[.]md$/.test(path) && path !== "docs/README.md");
  expect(pages.filter((path) => !map.includes(`](${path.slice("docs/".length)})`))).toEqual([]);
});

test("a dead link is found", () => {
  expect(
    deadLinks("docs/README.md", "[a](nowhere.md) [b](../README.md#nothing) [c](../README.md) `[d](e.md)`"),
  ).toEqual(["nowhere.md", "../README.md#nothing"]);
});
