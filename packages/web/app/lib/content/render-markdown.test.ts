import { planFactMark } from "@tintype/contract";
import { expect, test } from "vitest";
import { fillFacts } from "./facts.ts";
import { readSections } from "./read-sections.ts";
import { plainText, renderMarkdown } from "./render-markdown.ts";

const options = { file: "content/a.md", diagrams: new Map([["wave", '<svg viewBox="0 0 1 1"></svg>']]) };

test("a fact is put in, and one that is not there stops the build", () => {
  const { lead } = readSections("{{guest.credits}} credits", options);
  expect(lead).toBe(`<p>${planFactMark("guest.credits")} credits</p>\n`);
  expect(() => readSections("{{guest.wishes}}", options)).toThrow('no fact called "guest.wishes"');
  expect(fillFacts("{{ a }}", new Map([["a", "1"]]))).toBe("1");
});

test("one of our diagrams is inlined, with a label for screen readers and a caption", () => {
  const html = renderMarkdown('![A "wave"](diagram:wave "Up & down")', options);
  expect(html).toBe(
    '<figure class="diagram"><svg role="img" aria-label="A &quot;wave&quot;" viewBox="0 0 1 1"></svg><figcaption>Up &amp; down</figcaption></figure>\n',
  );
  expect(() => renderMarkdown("![A](diagram:none)", options)).toThrow("no diagram");
  expect(() => renderMarkdown("![A](https://elsewhere.example/a.png)", options)).toThrow("no diagram");
});

test("a table names its rows and columns, and can be scrolled by keyboard", () => {
  const html = renderMarkdown("| a | b |\n|---|---:|\n| c | 1 |", options);
  expect(html).toContain('<div class="scroll-x" tabindex="0" role="region"');
  expect(html).toContain('<th scope="col" class="text-right">b</th>');
  expect(html).toContain('<th scope="row">c</th><td class="text-right">1</td>');
});

test("raw HTML is refused", () => {
  expect(() => renderMarkdown("<b>a</b>", options)).toThrow("raw HTML");
  expect(() => renderMarkdown("<script>alert(1)</script>", options)).toThrow("raw HTML");
});

test("text without marks keeps its signs", () => {
  expect(plainText("<p>A &lt; B &amp; <b>C</b>.</p>")).toBe("A < B & C.");
});
