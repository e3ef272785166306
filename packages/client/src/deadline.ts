import { TintypeError } from "./error.ts";

/** When a call's time ends, and the signal that aborts it then, or when the caller aborts. */
export type Deadline = { signal: AbortSignal; endsAt: number };

/** Timers have 31 bits, about 24 days. A longer delay, including `Infinity`, would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

/** @throws TintypeError `timed-out` after `timeoutMs`, and the reason of the caller's signal */
export async function withDeadline<T>(
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  act: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  const message = `The call took longer than ${timeoutMs} ms.`;
  const timer = setTimeout(
    () => ending.abort(new TintypeError({ code: "timed-out", message, retryable: true })),
    Math.min(timeoutMs, maxTimerMs),
  );
  const stop = () => ending.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await act({ signal: ending.signal, endsAt: Date.now() + timeoutMs });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
