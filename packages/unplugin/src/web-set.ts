import { dirname, isAbsolute, resolve } from "node:path";
import { filesByType, pictureHtml, type SetFile, type WebSet } from "@tintype/contract";
import type { ImportedSet } from "./imported-set.ts";

/** A picture's path, and the set's options from its import. */
export type SetRequest = { path: string; options: Record<string, string> };

/** Other plugins ignore ids that start with a zero byte, and treat `.js` as JavaScript. */
const prefix = "\0tintype-web-set:";
const ending = ".js";
const flag = "web-set";

/** Parses an import of a set, such as `./photo.jpg?web-set&widths=640,1280`; undefined for any other. */
export function readImport(id: string): SetRequest | undefined {
  const at = id.indexOf("?");
  if (at < 0) return undefined;
  const { [flag]: value, ...options } = Object.fromEntries(new URLSearchParams(id.slice(at + 1)));
  return value === undefined ? undefined : { path: id.slice(0, at), options };
}

/** The id of a set's module. */
export const idOf = (request: SetRequest): string => prefix + encodeURIComponent(JSON.stringify(request)) + ending;

/** @returns undefined for an id that `idOf` did not make */
export function readId(id: string): SetRequest | undefined {
  if (!id.startsWith(prefix)) return undefined;
  return JSON.parse(decodeURIComponent(id.slice(prefix.length, -ending.length))) as SetRequest; // written by `idOf`
}

/** For a bundler that cannot be asked to resolve a path. */
export function resolveBeside(path: string, importer: string | undefined): string | undefined {
  if (isAbsolute(path)) return path;
  return path.startsWith(".") && importer ? resolve(dirname(importer.replace(/[?].*$/s, "")), path) : undefined;
}

/** Private use characters are placeholders for a file's URL until it is known. */
const stand = (index: number) => `\uE000${index}\uE001`;
const stands = /\uE000(\d+)\uE001/g;

/** The source of a set's module. `addresses` are JavaScript expressions, in the order of the set's files. */
export function moduleOf(set: WebSet, addresses: readonly string[]): string {
  const { width, height, sizes, alt, placeholder, files } = set;
  const standOf = (name: string) => stand(files.findIndex((file) => file.name === name));
  const srcsetOf = (some: readonly SetFile[]) => some.map(({ name, width }) => `${standOf(name)} ${width}w`).join(", ");
  const types = filesByType(files);
  const [, shown = []] = types.at(-1) ?? [];
  const imported: ImportedSet = {
    sources: types.slice(0, -1).map(([type, some]) => ({ type, srcset: srcsetOf(some), sizes })),
    img: { src: standOf(shown.at(-1)?.name ?? ""), srcset: srcsetOf(shown), sizes, width, height, alt },
    placeholder,
    html: pictureHtml(set, standOf),
  };
  const written = JSON.stringify(imported, null, 2).replace(stands, (_, index: string) => `" + files[${index}] + "`);
  return `const files = [${addresses.join(", ")}];\nexport default ${written};\n`;
}
