import { isLastStep, markupFileName, mediaTypeOf, pictureHtml, setFileName, type WebSet } from "@tintype/contract";
import { webSetFacts } from "@tintype/contract/schemas";
import { sniffFormat } from "@tintype/imaging";
import type { Work } from "./backend.ts";

/** Whether the work turns each picture into a ZIP of several. */
export const makesSet = ({ steps }: Pick<Work, "steps">): boolean => isLastStep(steps.at(-1)?.operation ?? "compress");

/** A web set read from its ZIP. The markup is regenerated from validated facts. */
export type OpenedSet = { set: WebSet; files: { name: string; bytes: Uint8Array }[] };

/**
 * The set in a ZIP, with its pictures, its markup and its facts as files; undefined if the bytes are not a web set.
 *
 * Attack: a server, or a cache in a repository, supplies a ZIP with paths that lead out of the folder, or with a page
 * in place of a picture.
 */
export async function openSet(zip: Uint8Array): Promise<OpenedSet | undefined> {
  const { readZip } = await import("@tintype/client"); // loaded only for a set: the command starts without it
  try {
    const entries = await readZip(new Blob([new Uint8Array(zip)]));
    const bytesOf = async (name: string) => {
      const blob = entries.find((entry) => entry.name === name)?.blob;
      return blob && new Uint8Array(await blob.arrayBuffer());
    };
    const set = webSetFacts.parse(JSON.parse(new TextDecoder().decode(await bytesOf(setFileName))));
    const pictures: OpenedSet["files"] = [];
    for (const { name, type } of set.files) {
      const bytes = await bytesOf(name);
      const format = bytes && sniffFormat(bytes);
      if (!bytes || !format || mediaTypeOf(format) !== type) return undefined;
      pictures.push({ name, bytes });
    }
    const text = (name: string, content: string) => ({ name, bytes: new TextEncoder().encode(content) });
    const described = [text(markupFileName, pictureHtml(set)), text(setFileName, `${JSON.stringify(set, null, 2)}\n`)];
    return { set, files: [...pictures, ...described] };
  } catch {
    return undefined; // not a ZIP, or a ZIP of something else
  }
}
