import { createHash } from "node:crypto";
import { DomainError } from "@tintype/contract";
import type { StoredBlob, StoreOptions } from "./blobs.ts";

/** Looks at a stream while it passes: its size, its hash, its first bytes, and whether it is longer than allowed. */
export function createInspection({ limitBytes, hash, headBytes }: StoreOptions) {
  const heads: Buffer[] = [];
  const digest = hash ? createHash("sha256") : undefined;
  let sizeBytes = 0;
  let failure: { problem: unknown } | undefined;
  return {
    /**
     * Passes on what is within the limit. It reads the rest too, which lets the sender hear the answer.
     * @throws too-large at the end, and what the source throws
     */
    async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of chunks) {
          if (sizeBytes < headBytes) heads.push(chunk.subarray(0, headBytes - sizeBytes));
          sizeBytes += chunk.length;
          if (sizeBytes > limitBytes) continue;
          digest?.update(chunk);
          yield chunk;
        }
        if (sizeBytes > limitBytes) throw new DomainError("too-large");
      } catch (problem) {
        failure = { problem };
        throw problem;
      }
    },
    /** Throws again what `pass` threw: it was the sender's fault, and not the store's. */
    throwFailure() {
      if (failure) throw failure.problem;
    },
    stored: (): StoredBlob => ({ sizeBytes, sha256: digest?.digest("hex"), head: Buffer.concat(heads) }),
  };
}
