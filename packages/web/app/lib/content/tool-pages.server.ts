import { operationNames, outputFormats } from "@tintype/contract";
import { z } from "zod";
import { toolPath, toolSlugs } from "../site/paths.ts";
import { fillFacts } from "./facts.ts";
import { readFrontMatter } from "./front-matter.ts";
import { type Question, questionOf } from "./questions.server.ts";
import { readSections } from "./read-sections.ts";

const files = import.meta.glob<string>("../../content/tools/*.md", { query: "?raw", import: "default", eager: true });

const toolPageHead = z.strictObject({
  slug: z.enum(toolSlugs),
  /** The document's title, for search engines. */
  title: z.string().min(10).max(60),
  headline: z.string().min(5).max(40),
  lead: z.string().min(10).max(120),
  description: z.string().min(50).max(160),
  /** The text of links to the page. */
  link: z.string().min(5).max(30),
  /** The tool that the studio opens with. */
  tool: z.enum(operationNames),
  target_format: z.enum(outputFormats).optional(),
  /** The size in bytes that compress aims for. */
  max_bytes: z.string().optional(),
  /** The size that resize crops to, and its density. */
  width: z.string().optional(),
  height: z.string().optional(),
  dpi: z.string().optional(),
});

/** A page for a tool or for a pair of formats: the studio with that choice made, and a text about it. */
export type ToolPage = Omit<z.infer<typeof toolPageHead>, "max_bytes" | "width" | "height" | "dpi"> & {
  path: string;
  /** The tool's options, as the studio opens with them. */
  settings: Readonly<Record<string, string>>;
  /** The paragraphs, as HTML. */
  text: string;
  questions: Question[];
};

let read: ToolPage[] | undefined;

/** The pages of `content/tools`, in the order of `toolSlugs`. A file's body is its paragraphs, followed by one heading per question. */
export function readToolPages(): readonly ToolPage[] {
  read ??= readAll();
  return read;
}

function readAll(): ToolPage[] {
  const pages = Object.entries(files).map(([path, source]) => {
    const file = path.replace(/^.*(?=content\/)/, "");
    const { head, body } = readFrontMatter(toolPageHead, { file, source: fillFacts(source) });
    if (!file.endsWith(`/${head.slug}.md`))
      throw new Error(`${file}: the slug "${head.slug}" differs from the file name`);
    const { lead: text, sections } = readSections(body, { file });
    const { max_bytes, width, height, dpi, ...rest } = head;
    const options = { target_format: head.target_format, aim: max_bytes && "size", max_bytes, width, height, dpi };
    const settings = JSON.parse(JSON.stringify(options)); // without what the page does not set
    return { ...rest, settings, path: toolPath(head.slug), text, questions: sections.map(questionOf) };
  });
  return toolSlugs.map((slug) => {
    const page = pages.find((one) => one.slug === slug);
    if (!page) throw new Error(`There is no content/tools/${slug}.md`);
    return page;
  });
}
