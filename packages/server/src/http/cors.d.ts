import type { FastifyInstance } from "fastify";
/**
 * Lets pages of some origins call the API from a browser. Never with credentials: a page of another origin that could send
 * the visitor's cookie would spend the visitor's credits. It calls with a key or a token of its own.
 */
export declare function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void>;
