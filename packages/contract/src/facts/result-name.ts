import { extensionOf, type InputFormat, type ResultFormat } from "./format.ts";
import { manifestOf, type TaskName } from "./operations/index.ts";

/**
 * The name of a result: its source's name, with a new extension if the format changed. An operation may add a suffix:
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
  return sourceFormat === resultFormat ? name : `${stem}.${extension}`;
}
