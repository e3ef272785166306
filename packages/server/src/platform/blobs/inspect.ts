import { createHash } from "node:crypto";
import { DomainError } from "@tintype/contract";
import type { StoredBlob, StoreOptions } from "./blobs.ts";

/** Inspects a stream as it passes: its size, hash and first bytes, and whether it exceeds the limit. */
export function createInspection({ limitBytes, hash, headBytes }: StoreOptions) {
  const heads: Buffer[] = [];
  const digest = hash ? createHash("sha256") : undefined;
  let sizeBytes = 0;
  let failure: { problem: unknown } | undefined;
  return {
    /**
     * Passes on what is within the limit. The rest is read too, so that the sender gets the response.
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
    /** Rethrows what `pass` threw: the sender's fault, not the store's. */
    throwFailure() {
      if (failure) throw failure.problem;
    },
    stored: (): StoredBlob => ({ sizeBytes, sha256: digest?.digest("hex"), head: Buffer.concat(heads) }),
  };
}
