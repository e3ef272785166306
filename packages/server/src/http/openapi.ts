import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { openApiDocument } from "@tintype/contract/schemas";
import type { FastifyInstance } from "fastify";

/** `/api/openapi.json`; the readable reference at `/api/docs` is a page of the web app, made from the same document. */
export function mountOpenApi(app: FastifyInstance, options: Parameters<typeof openApiDocument>[0]): void {
  const plain = Buffer.from(JSON.stringify(openApiDocument(options)));
  const gzip = gzipSync(plain, { level: 9 });
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 27)}"`;
  app.get("/api/openapi.json", async (request, reply) => {
    reply.headers({ "cache-control": "public, max-age=300", etag, vary: "accept-encoding" });
    if (request.headers["if-none-match"]?.includes(etag)) return reply.code(304).send();
    reply.type("application/json");
    const isPacked = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
    return isPacked ? reply.header("content-encoding", "gzip").send(gzip) : reply.send(plain);
  });
}
