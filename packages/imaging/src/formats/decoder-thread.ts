import { Worker } from "node:worker_threads";
import type { Size } from "@tintype/codecs/raster";
import { DomainError } from "@tintype/contract";
import type { DecoderMessage, DecoderName, DecoderRequest, DecoderResult } from "./decoder-worker.ts";

type DecodeOptions<Name extends DecoderName> = DecoderRequest<Name> & {
  /**
   * Called once the decoder has read the header, for decoders that check the size themselves. An error it throws ends
   * the decoding.
   */
  onSize?(size: Size): void;
  timeLimitMs?: number;
};

/**
 * Decodes a picture by a WebAssembly module in its own thread. The module is loaded only when needed, and a malicious
 * file can corrupt only its own instance. WebAssembly memory never shrinks: the end of the thread frees it.
 * @throws broken-image if the decoder rejects the picture or the thread ends early; took-too-long; what `onSize` throws
 */
export async function decodeInThread<Name extends DecoderName>({
  onSize,
  timeLimitMs,
  ...request
}: DecodeOptions<Name>): Promise<DecoderResult<Name>> {
  const worker = new Worker(new URL("./decoder-worker.ts", import.meta.url), {
    workerData: request,
    // Keep the decoder's messages about a file out of the operator's log.
    stdout: true,
    stderr: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DecoderResult<Name>>((resolve, reject) => {
      worker.on("message", (message: DecoderMessage<Name>) => {
        if ("picture" in message) return resolve(message.picture);
        try {
          onSize?.(message.size);
        } catch (problem) {
          reject(problem);
        }
      });
      worker.once("error", reject);
      if (timeLimitMs !== undefined) timer = setTimeout(() => reject(new DomainError("took-too-long")), timeLimitMs);
      worker.once("exit", (code) => reject(new Error(`the thread ended (${code})`)));
    });
  } catch (cause) {
    if (cause instanceof DomainError || isMissingModule(cause)) throw cause;
    throw new DomainError("broken-image", { cause });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** The decoder is not installed: the file is not at fault. */
const isMissingModule = (problem: unknown): boolean =>
  problem instanceof Error && "code" in problem && /^(ENOENT|ERR_MODULE_NOT_FOUND)$/.test(String(problem.code));
