import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import { DomainError } from "@tintype/contract";
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import { newId } from "../platform/id.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
import { takeBodies } from "./bodies.ts";
import { allowOrigins } from "./cors.ts";
import { handleErrors, problemOf, requestIdHeader, sendProblem } from "./errors.ts";
import { tellNetworkRate } from "./rate-headers.ts";
import { storeOf } from "./rate-limit-store.ts";
import { askBeforeUpload, cutSilentSenders, discardUnread, formLimits } from "./upload.ts";

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
  /** A sender may be silent for so long amid its body; a minute where it is left out. */
  silentMs?: number;
};

const rateWindowMs = 60_000;

/** The bare HTTP server: parsers, security headers, limits and errors. Routes are mounted on it. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    logger,
    secret,
    trustedProxies,
    isHttps,
    corsOrigins = [],
    requestsPerMinute,
    rateLimits,
    networkOf,
  } = options;
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies ?? false,
    genReqId: () => newId("req"),
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // A large upload over a slow line takes its time.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // Fastify's own answer while it closes is no problem document and names no time: the routes answer until the last connection ends.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, error),
    clientErrorHandler({ code }, socket) {
      const id = newId("req");
      // A sender that ends its side of the connection within its request may still read.
      const problem = new DomainError(code === "HPE_INVALID_EOF_STATE" ? "upload-cut-off" : "invalid-request");
      const body = JSON.stringify(problemOf(problem, id));
      if (socket.writable)
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
    },
  });
  handleErrors(app);
  await app.register(helmet, {
    // The window of a Google sign-in must keep its opener.
    crossOriginOpenerPolicy: { policy: "same-origin-allow-popups" },
    // Pages bring a policy of their own (site.ts); anything else has no reason to load a thing.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        objectSrc: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: "deny" },
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
  });
  await allowOrigins(app, corsOrigins);
  await app.register(cookie, { secret });
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: rateWindowMs,
    store: storeOf(rateLimits),
    keyGenerator: (request) => `requests:${networkOf(request.ip)}`,
    errorResponseBuilder: (_request, { ttl }) =>
      new DomainError("too-many-requests", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
    allowList: (request) => /^\/(healthz|readyz|metrics|assets\/)/.test(request.url),
  });
  tellNetworkRate(app, { windowMs: rateWindowMs });
  takeBodies(app);
  await app.register(multipart, { throwFileSizeLimit: false, limits: formLimits });
  askBeforeUpload(app);
  cutSilentSenders(app, options.silentMs);
  discardUnread(app);
  closeKeptConnections(app);
  logRequests(app);
  return app;
}

/** A closing server waits for its connections, and one that is kept after its answer would last another 72 s. */
function closeKeptConnections(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (isClosing) reply.header("connection", "close");
  });
  // The head of an answer may have gone out before.
  app.addHook("onResponse", async () => {
    if (isClosing) app.server.closeIdleConnections();
  });
}

/** One line a request: the route as declared, never an address, a name or an id in a path. */
function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header(requestIdHeader, request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, routeOptions } = request;
    request.log.info(
      { method, route: routeOptions.url ?? "none", status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
  });
}
