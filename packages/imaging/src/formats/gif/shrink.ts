import { setImmediate } from "node:timers/promises";
import { type ShrinkOptions, shrinkGif as shrink } from "@tintype/codecs/gif/encode";
import { DomainError } from "@tintype/contract";
import { withDomainErrors } from "../../raster/codec-error.ts";

/** Work between two yields to the event loop, where messages such as a cancellation arrive. */
const pauseAfterMs = 50;

/**
 * `shrinkGif` of the codecs, which lets the event loop run between frames.
 * @throws broken-image, too-many-pixels; cancelled when `signal` is aborted
 */
export async function shrinkGif(bytes: Uint8Array, options: Omit<ShrinkOptions, "pause">): Promise<Uint8Array> {
  try {
    return await withDomainErrors(() => shrink(bytes, { ...options, pause: createPause() }));
  } catch (problem) {
    throw options.signal?.aborted ? new DomainError("cancelled") : problem;
  }
}

function createPause() {
  let pausedAt = performance.now();
  return async () => {
    if (performance.now() - pausedAt <= pauseAfterMs) return;
    await setImmediate();
    pausedAt = performance.now();
  };
}
