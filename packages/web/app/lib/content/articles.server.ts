import { formatDay, operationNames, outputFormats } from "@tintype/contract";
import { z } from "zod";
import { pictureOf } from "../pictures.ts";
import { articleSlugs } from "../site/paths.ts";
import { readFrontMatter } from "./front-matter.ts";
import { readSections, type Section } from "./read-sections.ts";
import { plainText } from "./render-markdown.ts";

const files = import.meta.glob<string>("../../content/articles/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});
const drawings = import.meta.glob<string>("../../content/diagrams/*.svg", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * An article as docs/product.md defines it: `banner` and `cover_image` name one of our pictures,
 * `content_h1`..`content_h9` and `content_p1`..`content_p9` are the body's headings and the text under each.
 */
const articleHead = z.strictObject({
  title: z.string().min(10).max(60),
  slug: z.enum(articleSlugs),
  summary: z.string().min(50).max(160),
  /** Shown above the article: the name of a picture in `app/pictures`. */
  banner: z.string(),
  /** Shown on the card. */
  cover_image: z.string(),
  /** The alternative text of both pictures. */
  cover_alt: z.string().min(20).max(160),
  date: z.iso.date(),
  /** The studio tool that fits the subject, and its output format. */
  tool: z.enum(operationNames),
  target_format: z.enum(outputFormats).optional(),
  invitation: z.string().min(20).max(140),
});

/** The part of an article that a card and a list show. */
export type ArticleSummary = Pick<z.infer<typeof articleHead>, "title" | "slug" | "summary" | "cover_alt" | "date"> & {
  minutes: number;
  cover: { src: string; srcSet: string };
  dateInWords: string;
};
export type Article = z.infer<typeof articleHead> & {
  minutes: number;
  lead: string;
  sections: Section[];
  words: number;
};

const wordsPerMinute = 220;
/** docs/product.md numbers an article's headings from 1 to 9. */
const maxSections = 9;

let read: Article[] | undefined;

/** All articles in the order of docs/product.md. Read once per build, since most pages need them. */
export function readArticles(): readonly Article[] {
  read ??= readAll();
  return read;
}

function readAll(): Article[] {
  const diagrams = new Map(Object.entries(drawings).map(([path, svg]) => [baseName(path), svg]));
  const articles = Object.entries(files).map(([path, source]) => {
    const file = `content/articles/${baseName(path)}.md`;
    const { head, body } = readFrontMatter(articleHead, { file, source });
    if (head.slug !== baseName(path)) throw new Error(`${file}: the slug "${head.slug}" differs from the file name`);
    const { lead, sections } = readSections(body, { diagrams, file });
    if (sections.length === 0 || sections.length > maxSections)
      throw new Error(`${file}: expected 1 to ${maxSections} headings but found ${sections.length}`);
    const words = plainText([lead, ...sections.map(({ heading, html }) => `${heading} ${html}`)].join(" "))
      .split(" ")
      .filter((word) => /\w/.test(word)).length;
    return { ...head, lead, sections, words, minutes: Math.max(1, Math.round(words / wordsPerMinute)) };
  });
  return articleSlugs.flatMap((slug) => articles.filter((article) => article.slug === slug));
}

export const summaryOf = ({
  title,
  slug,
  summary,
  cover_image,
  cover_alt,
  date,
  minutes,
}: Article): ArticleSummary => ({
  title,
  slug,
  summary,
  cover_alt,
  date,
  minutes,
  cover: pictureOf(cover_image),
  dateInWords: formatDay(date),
});

const baseName = (path: string): string => (path.split("/").at(-1) ?? "").replace(/[.]\w+$/, "");
