import { escapeHtml, renderLegalText, splitSections } from "@tintype/contract";
import { Marked } from "marked";
import { z } from "zod";

/** The operator's own terms or policy as HTML, in our layout. */
export type OwnText = { html: string };

/** Addresses that a link may lead to: pages of the site, other sites, mail and phone. Any other scheme may be a script. */
const isSafeLink = (href: string): boolean => /^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(href);

/**
 * Reads a Markdown file with the front matter `updated: 2026-11-01`. Raw HTML is escaped, and pictures are refused.
 * @throws Error saying what is expected
 */
export function readOwnText(name: "terms" | "policy", { file, source }: { file: string; source: string }): OwnText {
  const [, head = "", body] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source.replace(/^\uFEFF/, "")) ?? [];
  const updated = /^updated: *(\S+) *$/m.exec(head)?.[1];
  if (body === undefined || !z.iso.date().safeParse(updated).success || updated === undefined)
    throw new Error(
      `${file} has to begin with a line of ---, the day of its last change as "updated: 2026-11-01", and a line of ---`,
    );
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ href }) => {
        throw new Error(`${file} shows a picture (${href}): pictures are not for legal texts`);
      },
      link({ href, tokens }) {
        if (!isSafeLink(href))
          throw new Error(
            `${file} links to ${href}: expected https, mailto, tel, or a page of this site like /contact`,
          );
        return `<a href="${escapeHtml(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      // Scrollable regions must be reachable by keyboard (WCAG 2.1.1).
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    },
  });
  const { lead, sections } = splitSections(body.replaceAll("\r\n", "\n"), (markdown) => String(marked.parse(markdown)));
  if (sections.length === 0)
    throw new Error(`${file} has no section: each begins with a heading like "## Introduction"`);
  return { html: renderLegalText({ name, updated, lead, sections }) };
}
