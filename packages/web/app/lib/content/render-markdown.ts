import { escapeHtml } from "@tintype/contract";
import { Marked, type Tokens } from "marked";

export type RenderOptions = {
  /** Our own diagrams by name, as SVG source. */
  diagrams?: ReadonlyMap<string, string>;
  /** Named in errors. */
  file: string;
};

/**
 * Renders our Markdown to HTML. `![what it shows](diagram:name "caption")` inlines one of our diagrams, which takes the
 * page's colours in light and dark; wide tables can be scrolled by keyboard too.
 * @throws Error naming the file, for an unknown diagram or raw HTML, which fails the build
 */
export function renderMarkdown(source: string, { diagrams = new Map(), file }: RenderOptions): string {
  const marked = new Marked({
    async: false,
    renderer: {
      image: ({ href, text, title }) => figureOf({ href, text, title }, { diagrams, file }),
      paragraph({ tokens }) {
        const inside = this.parser.parseInline(tokens);
        return inside.startsWith("<figure") ? `${inside}\n` : `<p>${inside}</p>\n`;
      },
      table(token) {
        return tableOf(token, (tokens) => this.parser.parseInline(tokens));
      },
      // Scrollable regions must be reachable by keyboard (WCAG 2.1.1).
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ raw }) => {
        throw new Error(`${file}: raw HTML is not allowed: ${raw.slice(0, 60)}`);
      },
    },
  });
  const html = marked.parse(source);
  if (typeof html !== "string") throw new Error(`${file}: Markdown was not rendered synchronously`);
  return html;
}

/** Plain text, for search engines and summaries. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .replace(/ ([.,;:?!])/g, "$1")
    .trim();
}

function figureOf(
  { href, text, title }: Pick<Tokens.Image, "href" | "text" | "title">,
  { diagrams, file }: Required<RenderOptions>,
): string {
  const svg = diagrams.get(/^diagram:(.+)$/.exec(href)?.[1] ?? "");
  if (svg === undefined) throw new Error(`${file}: there is no diagram at "${href}"`);
  const drawing = svg.trim().replace(/^<svg /, `<svg role="img" aria-label="${escapeHtml(text)}" `);
  const caption = title ? `<figcaption>${escapeHtml(title)}</figcaption>` : "";
  return `<figure class="diagram">${drawing}${caption}</figure>`;
}

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Tokens.TableCell["tokens"]) => string): string {
  const cell = (name: string) => (one: Tokens.TableCell, column: number) => {
    const align = one.align ? ` class="text-${one.align}"` : "";
    return column === 0 && name === "td"
      ? `<th scope="row"${align}>${inline(one.tokens)}</th>`
      : `<${name}${name === "th" ? ' scope="col"' : ""}${align}>${inline(one.tokens)}</${name}>`;
  };
  const head = `<thead><tr>${header.map(cell("th")).join("")}</tr></thead>`;
  const body = `<tbody>${rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("")}</tbody>`;
  // A scrollable region must be reachable by keyboard (WCAG 2.1.1), and a focusable region needs a name.
  return `<div class="scroll-x" tabindex="0" role="region" aria-label="Table"><table>${head}${body}</table></div>\n`;
}
