import { type RenderOptions, renderMarkdown } from "./render-markdown.ts";
import { slugOf } from "./slug-of.ts";

export type Section = {
  /** The anchor, from the heading. */
  id: string;
  heading: string;
  html: string;
};

/** A text's parts, one a heading of the second level; what stands before the first is `lead`. */
export function readSections(body: string, options: RenderOptions): { lead: string; sections: Section[] } {
  const [lead = "", ...parts] = body.split(/^## /m);
  const sections = parts.map((part) => {
    const [heading = "", ...lines] = part.split("\n");
    return { id: slugOf(heading), heading: heading.trim(), html: renderMarkdown(lines.join("\n"), options) };
  });
  const ids = sections.map(({ id }) => id);
  if (new Set(ids).size < ids.length) throw new Error(`${options.file}: two headings are one anchor`);
  return { lead: renderMarkdown(lead, options), sections };
}
