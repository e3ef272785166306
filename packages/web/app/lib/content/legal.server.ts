import { type LegalSection, renderLegalText } from "@tintype/contract";
import { z } from "zod";
import policy from "../../content/policy.md?raw";
import terms from "../../content/terms.md?raw";
import { readFrontMatter } from "./front-matter.ts";
import { readSections } from "./read-sections.ts";

const legalHead = z.strictObject({ updated: z.iso.date() });

type LegalText = { updated: string; lead: string; sections: LegalSection[] };

const sources = { terms, policy };

/** The terms or the privacy policy. */
export function readLegalText(name: keyof typeof sources): LegalText {
  const file = `content/${name}.md`;
  const { head, body } = readFrontMatter(legalHead, { file, source: sources[name] });
  return { updated: head.updated, ...readSections(body, { file }) };
}

/** The same text as one block of HTML, which a server replaces with the operator's own. */
export const readLegalHtml = (name: keyof typeof sources): string => renderLegalText({ name, ...readLegalText(name) });
