import { escapeHtml } from "./escape-html.ts";
/** One file of a web set. `type` is its media type, `width` and `height` are in px. */
export type SetFile = { name: string; type: string; width: number; height: number; bytes: number };

/** A web set as described by its `set.json`. Files are sorted by type, the type of the `<img>` last, then by width. */
export type WebSet = {
  /** Of the largest picture, px. */
  width: number;
  height: number;
  sizes: string;
  alt: string;
  /** A picture 20 px wide, as a data URI. */
  placeholder: string;
  /** If true, the placeholder would show through. */
  hasTransparency: boolean;
  files: SetFile[];
};

/** The names of the two files of a set that are not pictures. */
export const setFileName = "set.json";
export const markupFileName = "picture.html";

/** Files grouped by type, the type of the `<img>` last. */
export const filesByType = (files: readonly SetFile[]): [type: string, files: SetFile[]][] =>
  [...new Set(files.map(({ type }) => type))].map((type) => [type, files.filter((file) => file.type === type)]);

/** The markup of a set. `urlOf` returns the URL of a file. By default, files are next to the page. */
export function pictureHtml(set: WebSet, urlOf: (name: string) => string = encodeURIComponent): string {
  const { width, height, sizes, alt, placeholder, hasTransparency, files } = set;
  const types = filesByType(files);
  const srcset = (some: readonly SetFile[]) => some.map((file) => `${urlOf(file.name)} ${file.width}w`).join(", ");
  const [, shown = []] = types.at(-1) ?? [];
  const sources = types
    .slice(0, -1)
    .map(([type, some]) => `  <source${attributes({ type, srcset: srcset(some), sizes })}>\n`);
  const img = attributes({
    src: urlOf(shown.at(-1)?.name ?? ""),
    srcset: srcset(shown),
    sizes,
    width,
    height,
    alt,
    loading: "lazy",
    decoding: "async",
    ...(hasTransparency ? {} : { style: `background: url(${placeholder}) center / cover no-repeat` }),
  });
  return `<picture>\n${sources.join("")}  <img${img}>\n</picture>\n`;
}

const attributes = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join("");
