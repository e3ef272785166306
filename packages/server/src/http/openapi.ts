import { openApiDocument } from "@tintype/contract";
import type { FastifyInstance } from "fastify";

/** `/api/openapi.json`; the readable reference at `/api/docs` is a page of the web app, made from the same document. */
export function mountOpenApi(app: FastifyInstance, { origin, version }: { origin: string; version: string }): void {
  const document = JSON.stringify(openApiDocument({ origin, version }));
  app.get("/api/openapi.json", async (_request, reply) =>
    reply.header("cache-control", "public, max-age=300").type("application/json").send(document),
  );
}
