import { type LegalSection, splitSections } from "@tintype/contract";
import { fillFacts } from "./facts.ts";
import { type RenderOptions, renderMarkdown } from "./render-markdown.ts";

export type Section = LegalSection;

/**
 * A text's parts, one a heading of the second level; what stands before the first is `lead`.
 * @throws Error naming the file: the build stops
 */
export function readSections(body: string, options: RenderOptions): { lead: string; sections: Section[] } {
  try {
    // Headings name facts too.
    return splitSections(fillFacts(body), (markdown) => renderMarkdown(markdown, options));
  } catch (problem) {
    throw new Error(`${options.file}: ${problem instanceof Error ? problem.message : problem}`, { cause: problem });
  }
}
