import type { Note } from "@tintype/contract";
import type { Source } from "../formats/open-source.ts";
import { checkDecodes, factsOf } from "../formats/source.ts";
import { stripMetadata } from "../formats/strip-metadata.ts";
import { writeWhole } from "../formats/write-picture.ts";
import type { PictureFacts } from "../task.ts";
import { openInput } from "./open-input.ts";
import type { OpenedTask, Operation } from "./operation.ts";

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
  { input, outputPath }: Pick<OpenedTask, "input" | "outputPath">,
): Promise<{ result: PictureFacts; notes: Note[] }> {
  await checkDecodes(source);
  const { bytes, notes } = stripMetadata(await input.bytes(), source.format);
  await writeWhole(outputPath, bytes);
  return { result: { ...factsOf(source), sizeBytes: bytes.length }, notes };
}
