import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openInputFile } from "../formats/input-file.ts";
import type { Operation } from "../operations/operation.ts";
import type { Outcome, PictureLimits } from "../task.ts";

export const testLimits: PictureLimits = { megapixelsIn: 25, megapixelsOut: 25 };

type Run = { bytes: Uint8Array; options?: unknown; limits?: PictureLimits; signal?: AbortSignal };

/** Runs one operation on a picture given as bytes. `result` is the written file; all files are deleted. */
export async function runOperation(
  operation: Operation,
  { bytes, options = {}, limits = testLimits, signal = new AbortController().signal }: Run,
): Promise<{ outcome: Outcome; result: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "operation-"));
  try {
    const [inputPath, outputPath] = [join(folder, "input"), join(folder, "output")];
    await writeFile(inputPath, bytes);
    const context = { signal, progress: () => {} };
    const outcome = await operation(
      { name: "convert", options, input: await openInputFile(inputPath), outputPath, limits },
      context,
    );
    return { outcome, result: await readFile(outputPath) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
