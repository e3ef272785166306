import cors from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Headers that pages of other origins may read besides the CORS-safelisted ones. */
const exposed = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Location",
  "Preference-Applied",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Candidates",
  "X-Confidence",
  "X-Credits-Charged",
  "X-Credits-Limit",
  "X-Credits-Remaining",
  "X-Incomplete",
  "X-Job",
  "X-Likeness",
  "X-Preview",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-Report",
  "X-Request-Id",
];

/**
 * Lets pages of some origins call the API from a browser, never with credentials: a page of another origin that could send
 * the visitor's cookie would spend the visitor's credits. It uses a key or a token of its own.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    delegator: (request, done) =>
      done(null, {
        origin: /^\/api(\/|$)/.test(request.url ?? "") && (origins.includes("*") ? "*" : [...origins]),
        methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
        allowedHeaders: ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID", "Prefer", "Range"],
        exposedHeaders: exposed,
        credentials: false,
        // methods.ts responds to any other OPTIONS, as without CORS.
        preflight: isPreflight(request.headers),
        maxAge: 7200,
      }),
  });
}

const isPreflight = (headers: FastifyRequest["headers"]): boolean =>
  headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
