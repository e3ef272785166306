import { extensionOf, formatNamed, type InputFormat, type ResultFormat } from "./format.ts";
import { manifestOf, type TaskName } from "./operations/index.ts";

/**
 * The name of a result: its source's name, with a new extension if it is not one of the result's format. An operation may add a suffix:
 * a cut-out is `{name}_bgremoved.png`.
 */
export function resultName(
  operations: readonly TaskName[],
  {
    name,
    sourceFormat,
    resultFormat,
  }: { name: string; sourceFormat: InputFormat | undefined; resultFormat: ResultFormat },
): string {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = extensionOf(resultFormat);
  const nameSuffix = operations.map((name) => manifestOf(name).nameSuffix).find(Boolean);
  if (nameSuffix) return `${stem}${nameSuffix}.${extension}`;
  // The name may lie: what is called .jpg can be a WebP.
  const named = dot > 0 ? formatNamed(name.slice(dot + 1)) : undefined;
  const isRight = named === undefined ? sourceFormat === resultFormat : named === resultFormat;
  return isRight ? name : `${stem}.${extension}`;
}

/** Adds ` (2)`, ` (3)` before the extension of duplicate names. Names are compared case-insensitively, as most file systems do. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const dot = name.lastIndexOf(".");
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
    let unique = name;
    for (let count = 2; taken.has(unique.toLowerCase()); count += 1) unique = `${stem} (${count})${ending}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
