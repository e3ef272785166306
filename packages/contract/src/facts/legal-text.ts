import { escapeHtml } from "./escape-html.ts";
import { formatDay } from "./format-day.ts";

/** How the default legal texts refer to the operator, word for word, until the operator sets a name and a governing law. */
export const unnamedOperator = { operator: "the operator of", governingLaw: "the law of India" } as const;

export type LegalSection = {
  /** The anchor, derived from the heading. */
  id: string;
  heading: string;
  html: string;
};

/** The anchor of a heading: `Data Retention` gives `data-retention`. Empty if it has neither letters nor digits. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/\u2060/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/**
 * Splits a text at its second-level headings. `lead` is the text before the first one.
 * @throws Error if two headings have the same anchor
 */
export function splitSections(
  body: string,
  render: (markdown: string) => string,
): { lead: string; sections: LegalSection[] } {
  const [lead = "", ...parts] = body.split(/^## /m);
  const sections = parts.map((part, index) => {
    const [heading = "", ...lines] = part.split("\n");
    return { id: slugOf(heading) || `section-${index + 1}`, heading: heading.trim(), html: render(lines.join("\n")) };
  });
  const ids = sections.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) throw new Error(`two headings are one anchor: ${twice}`);
  return { lead: render(lead), sections };
}

/** The HTML of the terms or the policy below the page's title: the date, the list of sections, and the sections. */
export function renderLegalText({
  name,
  updated,
  lead,
  sections,
}: {
  name: "terms" | "policy";
  /** An ISO 8601 date. */
  updated: string;
  lead: string;
  sections: readonly LegalSection[];
}): string {
  const list = sections.map(({ id, heading }) => `<li><a href="#${id}">${escapeHtml(heading)}</a></li>`).join("");
  const parts = sections.map(
    ({ id, heading, html }) =>
      `<section aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(heading)}</h2><div class="prose">${html}</div></section>`,
  );
  return `<div data-legal="${name}"><p class="legal-date">Last updated <time datetime="${updated}">${formatDay(updated)}</time></p><div class="legal-text"><nav aria-label="Sections"><ol>${list}</ol></nav><div>${lead ? `<div class="prose legal-lead">${lead}</div>` : ""}${parts.join("")}</div></div></div>`;
}
