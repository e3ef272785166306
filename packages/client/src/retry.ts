import { type Deadline, sleep } from "./deadline.ts";
import { networkError, TintypeError } from "./error.ts";

const firstWaitMs = 500;
const longestWaitMs = 20_000;

/** Doubles from half a second, with up to a quarter less: callers that failed together do not come back together. */
export const backoffMs = (tries: number): number =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** tries) * (1 - Math.random() / 4);

/** A thrown thing as a TintypeError, if it is one or a failure of fetch, which throws TypeError. */
export function asTintypeError(thrown: unknown): TintypeError | undefined {
  if (thrown instanceof TintypeError) return thrown;
  return thrown instanceof TypeError ? networkError(thrown) : undefined;
}

/** Told before each wait for a retry. */
export type OnWait = ((wait: { waitMs: number; problem: TintypeError }) => void) | undefined;
type Retrying = { deadline: Deadline; retries: number; onWait?: OnWait };

/**
 * Tries until it succeeds, `retries` are used up, or the wait that the server asks for ends after the deadline.
 * @throws TintypeError, the deadline's reason
 */
export async function retrying<T>(
  attempt: () => Promise<T>,
  { deadline: { signal, endsAt }, retries, onWait }: Retrying,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      signal.throwIfAborted();
      const problem = asTintypeError(thrown);
      if (!problem) throw thrown;
      const waitMs = problem.retryAfterMs ?? backoffMs(tries);
      if (!problem.retryable || tries >= retries || Date.now() + waitMs > endsAt) throw problem;
      onWait?.({ waitMs, problem });
      await sleep(waitMs, signal);
    }
  }
}
