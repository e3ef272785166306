import { readFile } from "node:fs/promises";
import type { Source } from "../formats/open-source.ts";
import { checkDecodes, factsOf } from "../formats/source.ts";
import { stripMetadata } from "../formats/strip-metadata.ts";
import { writeWhole } from "../formats/write-picture.ts";
import type { PictureFacts, Task } from "../task.ts";
import { openInput } from "./open-input.ts";
import type { Operation } from "./operation.ts";

/** Validates a picture as an operation would, and returns it unchanged but without metadata. */
export const upload: Operation = async (task) => {
  const source = await openInput(task);
  return { kind: "done", source: factsOf(source), ...(await writeStripped(source, task)) };
};

/**
 * Writes a picture that decodes, unchanged but without metadata; frames and pages that an operation would drop are
 * kept.
 */
export async function writeStripped(
  source: Source,
  { inputPath, outputPath }: Pick<Task, "inputPath" | "outputPath">,
): Promise<{ result: PictureFacts; notes: string[] }> {
  await checkDecodes(source);
  const { bytes, notes } = stripMetadata(await readFile(inputPath), source.format);
  await writeWhole(outputPath, bytes);
  return { result: { ...factsOf(source), sizeBytes: bytes.length }, notes };
}
