import { createHash } from "node:crypto";
import type { Stored, StoreOptions } from "./blobs.ts";

/** Looks at a stream while it passes: its size, its hash, its first bytes, and whether it is longer than allowed. */
export function createInspection({ limitBytes, hash, headBytes }: StoreOptions) {
  const heads: Buffer[] = [];
  const digest = hash ? createHash("sha256") : undefined;
  let sizeBytes = 0;
  let sourceProblem: unknown;
  return {
    /** For `pipeline`: passes on what is within the limit, and reads the rest, which lets the sender hear the answer. */
    async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of chunks) {
          if (sizeBytes < headBytes) heads.push(chunk.subarray(0, headBytes - sizeBytes));
          sizeBytes += chunk.length;
          if (sizeBytes > limitBytes) continue;
          digest?.update(chunk);
          yield chunk;
        }
      } catch (problem) {
        sourceProblem = problem;
        throw problem;
      }
    },
    isTooLarge: () => sizeBytes > limitBytes,
    /** Whether it was the sender who failed, and not the store. */
    isOfSource: (problem: unknown) => problem === sourceProblem,
    stored: (): Stored => ({ sizeBytes, sha256: digest?.digest("hex"), head: Buffer.concat(heads) }),
  };
}
