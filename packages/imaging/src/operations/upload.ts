import { readFile } from "node:fs/promises";
import { checkDecodes } from "../formats/check-decodes.ts";
import { openSource } from "../formats/open-source.ts";
import { stripMetadata } from "../formats/strip-metadata.ts";
import { writeWhole } from "../formats/write-picture.ts";
import type { Operation } from "./operation.ts";

/** Checks a picture as an operation would, and answers with it as it came, without its metadata. */
export const upload: Operation = async (task) => {
  const source = await openSource(task.inputPath, task.limits);
  await checkDecodes(source);
  const { format, width, height, sizeBytes } = source;
  const { bytes, notes } = stripMetadata(await readFile(task.inputPath), format);
  await writeWhole(task.outputPath, bytes);
  // Frames and pages that an operation would drop are all still there.
  return {
    kind: "done",
    source: { format, width, height, sizeBytes },
    result: { format, width, height, sizeBytes: bytes.length },
    notes,
  };
};
