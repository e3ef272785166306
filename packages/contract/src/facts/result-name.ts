import { extensionOf, type InputFormat, type ResultFormat } from "./format.ts";
import { taskForms } from "./operations/forms.ts";
import type { TaskName } from "./operations/index.ts";
import type { OperationForm } from "./operations/manifest.ts";

/**
 * The name of a result: its source's, with another extension if the format changed. An operation may append a
 * suffix of its own: a cut-out is `{name}_bgremoved.png`.
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
  const nameSuffix = operations
    .map((name): OperationForm => taskForms[name])
    .find((form) => form.nameSuffix)?.nameSuffix;
  if (nameSuffix) return `${stem}${nameSuffix}.${extension}`;
  return sourceFormat === resultFormat ? name : `${stem}.${extension}`;
}
