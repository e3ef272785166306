import { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
export type AppOptions = {
    logger: FastifyBaseLogger;
    /** Signs cookies. */
    secret: string;
    /** Addresses or CIDR blocks whose forwarding headers are believed; without any, the connection's address counts. */
    trustedProxies: string[] | undefined;
    isHttps: boolean;
    /** Origins whose pages may call the API from a browser. */
    corsOrigins?: readonly string[];
    requestsPerMinute: number;
    rateLimits: RateLimits;
    /** A keyed hash of a caller's network: what requests are counted by. */
    networkOf(address: string): string;
};
/** The bare HTTP server: parsers, security headers, limits and errors. Routes are mounted on it. */
export declare function createApp(options: AppOptions): Promise<FastifyInstance>;
