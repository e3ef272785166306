import type { FastifyBaseLogger } from "fastify";
import { oneAtATime } from "../platform/one-at-a-time.ts";

export type Sweeps = {
  /** Waits for a whole round: one in progress may have read too early, so the next is awaited too. */
  sweep(): Promise<void>;
  /** Starts no further round. */
  stop(): void;
  /** Resolves when the round in progress has ended, successfully or not. */
  settled(): Promise<void>;
};

const sweepEveryMs = 5_000;

/** Runs all given sweeps every few seconds, concurrently within a round, one round after the other. */
export function startSweeps(pieces: readonly (() => Promise<void>)[], log: FastifyBaseLogger): Sweeps {
  const round = oneAtATime(async () => {
    await Promise.all(pieces.map((piece) => piece()));
  });
  const timer = setInterval(
    () => void round.start().catch((problem: unknown) => log.error({ err: problem }, "sweep failed")),
    sweepEveryMs,
  );
  return {
    async sweep() {
      await round.settled();
      await round.start();
    },
    stop: () => clearInterval(timer),
    settled: round.settled,
  };
}
