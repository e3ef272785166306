import { fileNameOf, type OperationName, tasks, uniqueNames } from "@tintype/contract";
import { brand } from "../../../../lib/brand.ts";
import type { Picture, Result } from "../../state/picture.ts";

/** The placeholders of a pattern and what each expands to. */
type Named = { picture: Pick<Picture, "name">; result: Result; tool: OperationName; number: string };
const parts: Record<string, (named: Named) => string> = {
  name: ({ picture }) => stemOf(picture.name),
  width: ({ result }) => String(result.sides.widthPx),
  height: ({ result }) => String(result.sides.heightPx),
  tool: ({ tool }) => tasks[tool].label.toLowerCase().replaceAll(" ", "-"),
  number: ({ number }) => number,
};
export const patternParts = Object.keys(parts).map((part) => `{${part}}`);

const maxLength = 120;

/** Why a pattern is invalid; undefined if it is valid. An empty pattern leaves names unchanged. */
export function patternFault(pattern: string): string | undefined {
  const unknown = [...pattern.matchAll(/\{([^{}]*)\}/g)].find(([, part = ""]) => !Object.hasOwn(parts, part));
  if (unknown) return `${unknown[0]} is unknown. Use ${patternParts.join(", ")}.`;
  if (pattern.trim() !== "" && cleaned(pattern.replace(/[{}]/g, "")) === "")
    return "A file name needs at least one letter or digit.";
  return undefined;
}

/** Names results by a pattern such as `{name}-{width}w`. Extensions are kept, and duplicates get numbers. */
export function namesOf(
  pattern: string,
  all: ReadonlyArray<Omit<Named, "number">>,
  existingNames: readonly string[] = [],
): string[] {
  // Zero-padded to the width of the largest number, so that 01 to 12 sort in order as text.
  const digits = String(all.length).length;
  const names = all.map((one, index) => {
    const resultName = one.result.name;
    if (pattern.trim() === "" || patternFault(pattern)) return resultName;
    const filled = pattern.replace(
      /\{(\w+)\}/g,
      (_, part: string) => parts[part]?.({ ...one, number: String(index + 1).padStart(digits, "0") }) ?? "",
    );
    return `${cleaned(filled) || stemOf(resultName)}${resultName.slice(stemOf(resultName).length)}`;
  });
  return uniqueNames([...existingNames, ...names]).slice(existingNames.length);
}

/** `tintype-compress-12-images-2026-11-30.zip`; without the tool for a recipe, which has several. */
export function zipName({ tool, count, now }: { tool: OperationName | undefined; count: number; now: Date }): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return [fileNameOf(brand.name), tool, count, "images", ...day].filter(Boolean).join("-").concat(".zip");
}

const stemOf = (name: string): string => name.replace(/[.][^.]*$/, "") || name;

/** A name valid on every system: no path, no characters that Windows forbids, no leading or trailing dot or space. */
const cleaned = (name: string): string =>
  [...name]
    .map((character) => (character < " " || '\\/:*?"<>|'.includes(character) ? "-" : character))
    .join("")
    .replace(/^[. ]+|[. ]+$/g, "")
    .slice(0, maxLength);
