import { Worker } from "node:worker_threads";
import { DomainError } from "@tintype/contract";
import type { DecodedSize, DecoderMessage, DecoderName, DecoderRequest, DecoderResult } from "./decoder-worker.ts";

type Decoding<Name extends DecoderName> = DecoderRequest<Name> & {
  /** Called once the header is read. What it throws ends the decoding. */
  onSize(size: DecodedSize): void;
};

/**
 * Decodes a picture by a WebAssembly module in a thread of its own: the module is loaded when a picture needs it, a hostile file can
 * harm only its own instance, and the end of the thread frees the memory, which a module cannot give back.
 * @throws broken-image where the decoder refuses the picture or the thread ends early, and what `onSize` throws
 */
export async function decodeInThread<Name extends DecoderName>({
  onSize,
  ...request
}: Decoding<Name>): Promise<DecoderResult<Name>> {
  const worker = new Worker(new URL("./decoder-worker.ts", import.meta.url), {
    workerData: request,
    // A decoder's own words about a file are not the operator's log.
    stdout: true,
    stderr: true,
  });
  try {
    return await new Promise<DecoderResult<Name>>((resolve, reject) => {
      worker.on("message", (message: DecoderMessage<Name>) => {
        if ("picture" in message) return resolve(message.picture);
        try {
          onSize(message.size);
        } catch (problem) {
          reject(problem);
        }
      });
      worker.once("error", reject);
      worker.once("exit", (code) => reject(new Error(`the thread ended (${code})`)));
    });
  } catch (cause) {
    if (cause instanceof DomainError || isMissingModule(cause)) throw cause;
    throw new DomainError("broken-image", { cause });
  } finally {
    await worker.terminate();
  }
}

/** An installation without the decoder: no fault of the file. */
const isMissingModule = (problem: unknown): boolean =>
  problem instanceof Error && "code" in problem && /^(ENOENT|ERR_MODULE_NOT_FOUND)$/.test(String(problem.code));
