import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DomainError } from "@tintype/contract";
import type { DecoderName, DecoderRequest, DecoderResult } from "./decoder-worker.ts";

/**
 * Decodes a picture by a WebAssembly module in a thread of its own: the module is loaded when a picture needs it, a hostile file can
 * harm only its own instance, and the end of the thread frees the memory, which a module cannot give back.
 * @throws broken-image where the decoder refuses the picture, or ends without a word
 */
export async function decodeInThread<Name extends DecoderName>(
  request: DecoderRequest<Name>,
): Promise<DecoderResult<Name>> {
  const worker = new Worker(new URL("./decoder-worker.ts", import.meta.url), {
    workerData: request,
    // A decoder's own words about a file are not the operator's log.
    stdout: true,
    stderr: true,
  });
  const over = new AbortController();
  const { signal } = over;
  try {
    const [answer] = await Promise.race([
      once(worker, "message", { signal }),
      once(worker, "exit", { signal }).then(([code]) => {
        throw new Error(`the thread ended (${code})`);
      }),
    ]);
    return answer as DecoderResult<Name>; // what the worker posts
  } catch (cause) {
    throw new DomainError("broken-image", { cause });
  } finally {
    over.abort();
    await worker.terminate();
  }
}
