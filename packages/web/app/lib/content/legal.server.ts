import { z } from "zod";
import policy from "../../content/policy.md?raw";
import terms from "../../content/terms.md?raw";
import { readFrontMatter } from "./front-matter.ts";
import { readSections, type Section } from "./read-sections.ts";

const legalHead = z.strictObject({ updated: z.iso.date() });

export type LegalText = { updated: string; lead: string; sections: Section[] };

const sources = { terms, policy };

/** The terms or the privacy policy. */
export function readLegalText(name: keyof typeof sources): LegalText {
  const file = `content/${name}.md`;
  const { head, body } = readFrontMatter(legalHead, { file, source: sources[name] });
  return { updated: head.updated, ...readSections(body, { file }) };
}
