import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";

/** Structured lines on standard output. Nothing that names a person is passed to it; tokens and cookies are cut out should one ever be. */
export function createLog(level: string): FastifyBaseLogger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: ["req.headers.authorization", "req.headers.cookie", "headers.authorization", "headers.cookie"],
  });
}
