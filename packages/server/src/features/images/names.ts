import { formats, type InputFormat, type OperationForm, type TaskName, taskForms } from "@tintype/contract";

const splitName = (name: string): [stem: string, extension: string] => {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? [name.slice(0, dot), name.slice(dot + 1)] : [name, ""];
};

/**
 * What a result is called: as its source, with another extension where the format changed. An operation may append a
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
  const [stem] = splitName(name);
  const extension = formats[resultFormat].extensions[0];
  const nameSuffix = operations
    .map((name): OperationForm => taskForms[name])
    .find((form) => form.nameSuffix)?.nameSuffix;
  if (nameSuffix) return `${stem}${nameSuffix}.${extension}`;
  return sourceFormat === resultFormat ? name : `${stem}.${extension}`;
}

/** Equal names, also such that differ in case only, get ` (2)`, ` (3)`: many disks would let one overwrite the other. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const [stem, extension] = splitName(name);
    const tail = extension ? `.${extension}` : "";
    let candidate = name;
    for (let n = 2; taken.has(candidate.toLowerCase()); n++) candidate = `${stem} (${n})${tail}`;
    taken.add(candidate.toLowerCase());
    return candidate;
  });
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
