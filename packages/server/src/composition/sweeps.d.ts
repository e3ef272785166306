import type { FastifyBaseLogger } from "fastify";
export type Sweeps = {
    /** A whole round: one that is under way may have looked too early, therefore the next is waited for too. */
    sweep(): Promise<void>;
    /** No further round begins. */
    stop(): void;
    /** When the round in progress has ended, well or not. */
    settled(): Promise<void>;
};
/** Runs every given piece of clearing up every few seconds, all pieces at a time and one round after the other. */
export declare function startSweeps(pieces: readonly (() => Promise<void>)[], log: FastifyBaseLogger): Sweeps;
