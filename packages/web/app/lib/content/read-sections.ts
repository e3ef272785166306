import { type LegalSection, splitSections } from "@tintype/contract";
import { fillFacts } from "./facts.ts";
import { type RenderOptions, renderMarkdown } from "./render-markdown.ts";

export type Section = LegalSection;

/**
 * A text's sections, one for each second-level heading; whatever precedes the first heading is `lead`.
 * @throws Error naming the file, which fails the build
 */
export function readSections(body: string, options: RenderOptions): { lead: string; sections: Section[] } {
  try {
    // Headings contain facts too.
    return splitSections(fillFacts(body), (markdown) => renderMarkdown(markdown, options));
  } catch (problem) {
    throw new Error(`${options.file}: ${problem instanceof Error ? problem.message : problem}`, { cause: problem });
  }
}
