import { expect, test } from "vitest";
import { renderLegalText, slugOf, splitSections } from "./legal-text.ts";

const sectionsOf = (...headings: string[]) =>
  splitSections(headings.map((heading) => `## ${heading}\n\nText\n`).join("\n"), (text) => text).sections;

test("a heading is an anchor in its own script", () => {
  expect(slugOf("Data Retention & You")).toBe("data-retention-and-you");
  expect(slugOf("Wie w⁠ir Löschen")).toBe("wie-wir-löschen");
  const sections = sectionsOf("गोपनीयता नीति", "डेटा", "Условия использования", "Хранение данных");
  expect(sections.map(({ id }) => id)).toEqual(["गोपनीयता-नीति", "डेटा", "условия-использования", "хранение-данных"]);
  const html = renderLegalText({ name: "terms", updated: "2026-11-01", lead: "", sections });
  expect(html).toContain('<a href="#хранение-данных">Хранение данных</a>');
  expect(html).toContain('<h2 id="गोपनीयता-नीति">गोपनीयता नीति</h2>');
});

test("headings without letters and digits are anchors by their place", () => {
  expect(sectionsOf("A", "§", "***").map(({ id }) => id)).toEqual(["a", "section-2", "section-3"]);
});
