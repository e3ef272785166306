import { formats, type InputFormat, type OperationForm, type TaskName, taskForms } from "@tintype/contract";

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
  }: { name: string; sourceFormat: InputFormat | undefined; resultFormat: InputFormat },
): string {
  const dot = name.lastIndexOf(".");
  const stem = dot > 0 ? name.slice(0, dot) : name;
  const extension = formats[resultFormat].extensions[0];
  const nameSuffix = operations
    .map((name): OperationForm => taskForms[name])
    .find((form) => form.nameSuffix)?.nameSuffix;
  if (nameSuffix) return `${stem}${nameSuffix}.${extension}`;
  return sourceFormat === resultFormat ? name : `${stem}.${extension}`;
}

/** RFC 6266: an ASCII name for old readers, and the true one in UTF-8. */
export function contentDisposition(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "_")
    .replace(/["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
