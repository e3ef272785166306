import type { FastifyInstance } from "fastify";
/** `/api/openapi.json`; the readable reference at `/api/docs` is a page of the web app, made from the same document. */
export declare function mountOpenApi(app: FastifyInstance, { origin, version }: {
    origin: string;
    version: string;
}): void;
