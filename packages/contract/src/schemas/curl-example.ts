import type { Endpoint } from "./endpoint.ts";

/** Saves under the response's name in a separate folder, because curl's -J does not overwrite files, such as the uploaded one. */
const saving = "-OJ --output-dir results --create-dirs";

/** A call to paste into a shell. Pictures are called photo.jpg, tokens and keys $TOKEN. */
export function curlExample(
  { tag, method, path, access, body, form, example, response }: Endpoint,
  origin: string,
): string {
  const address = `${origin}/api${path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)}`;
  const query = example?.query ? `?${new URLSearchParams(example.query)}` : "";
  const isSaved = form ? form.files !== "file" : response.kind === "picture" || response.file !== undefined;
  // With its body, an error would be saved as the picture.
  const failing = isSaved ? "--fail" : "--fail-with-body";
  const lines = [`curl ${failing} ${method === "GET" ? "" : `-X ${method} `}"${address}${query}"`];
  if (access === "person" || tag === "Jobs") lines.push('-H "Authorization: Bearer $TOKEN"');
  if (body) lines.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example?.body ?? {})}'`);
  if (form) {
    if (form.files !== "none") lines.push(`-F "${form.files}=@photo.jpg"`);
    for (const [name, value] of Object.entries(example?.fields ?? {})) lines.push(`-F ${quoted(`${name}=${value}`)}`);
  }
  if (isSaved) lines.push(saving);
  else if (response.kind === "events") lines.push("-N");
  return lines.join(" \\\n  ");
}

/** A word of a shell. */
const quoted = (word: string): string => (/^[\w=.,:#%/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
