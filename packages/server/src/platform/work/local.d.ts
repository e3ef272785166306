import type { FastifyBaseLogger } from "fastify";
import { type Work } from "./work.ts";
/** Hands out turns inside one process. It holds no timer, and an idle one costs nothing. */
export declare function createLocalWork({ log }: {
    log: Pick<FastifyBaseLogger, "error">;
}): Work;
