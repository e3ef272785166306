import type { FastifyBaseLogger } from "fastify";
import { oneAtATime } from "../platform/one-at-a-time.ts";

export type Sweeps = {
  /** A whole round: one that is under way may have looked too early, therefore the next is waited for too. */
  sweep(): Promise<void>;
  /** No further round begins. */
  stop(): void;
  /** When the round in progress has ended, well or not. */
  settled(): Promise<void>;
};

const sweepEveryMs = 5_000;

/** Runs every given piece of clearing up every few seconds, all pieces at a time and one round after the other. */
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
