import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream } from "pino";
/**
 * Structured lines on standard output. No secret and nothing that names a person is passed to it. Errors are described
 * by `describeError`, since a database error repeats the values of its query; a last look hides API keys.
 */
export declare function createLog(level: string, destination?: DestinationStream): FastifyBaseLogger;
/** An error's message without the values of a query and without addresses of people. */
export declare function messageOf(thrown: unknown): string;
export declare const hideAddresses: (text: string) => string;
