import { formatDay } from "./format-day.ts";

/** What our own legal texts say of the operator, word for word, until the operator has given a name and a law. */
export const unnamedOperator = { operator: "the operator of", governingLaw: "the law of India" } as const;

export type LegalSection = {
  /** The anchor, from the heading. */
  id: string;
  heading: string;
  html: string;
};

/** A heading as an anchor: `Data Retention` is `data-retention`. Empty where it has neither letters nor digits. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/\u2060/g, "")
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");

/**
 * A text's parts, one a heading of the second level; what stands before the first is `lead`.
 * @throws Error where two headings are one anchor
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

/** The terms or the policy below the page's title, as HTML: the date, the list of sections, the sections. */
export function layLegalText({
  name,
  updated,
  lead,
  sections,
}: {
  name: "terms" | "policy";
  /** An ISO day. */
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

export const escapeHtml = (text: string): string =>
  text
    .replace(/&/g, "&amp;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;");
