import { DomainError } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { hasBody } from "./body-memory.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The handler reads a form and checks its Content-Length first. */
    takesForm?: boolean;
    /** The handler reads a JSON body. */
    takesJson?: boolean;
  }
}

/**
 * Parses JSON, and rejects bodies of another type than the route accepts. Forms are streamed (upload.ts). An empty body
 * counts as none, whatever its Content-Type: many clients always send one. A body that a route does not use is not read.
 */
export function registerBodyParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    parseJson(request, String(text), (problem, body) =>
      done(
        problem && new DomainError("invalid-request", { detail: "The body is not valid JSON.", cause: problem }),
        body,
      ),
    );
  });
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  app.addHook("preParsing", async (request) => {
    if (hasBody(request)) refuseOtherTypes(request);
  });
}

/** @throws unsupported-media-type */
function refuseOtherTypes({ headers, routeOptions }: FastifyRequest): void {
  const { takesForm, takesJson } = routeOptions.config;
  const type = headers["content-type"] ?? "";
  if (takesForm && !/^multipart\/form-data\s*(;|$)/i.test(type))
    throw new DomainError("unsupported-media-type", { detail: "Send the request as multipart/form-data." });
  if (takesJson && !/^application\/json\s*(;|$)/i.test(type))
    throw new DomainError("unsupported-media-type", {
      detail: "Send the body as JSON, with Content-Type: application/json.",
    });
  if (/\b(gzip|deflate|br|zstd|compress)\b/i.test(headers["content-encoding"] ?? ""))
    throw new DomainError("unsupported-media-type", {
      detail: "Compressed bodies are not accepted. Send the body without Content-Encoding.",
    });
}
