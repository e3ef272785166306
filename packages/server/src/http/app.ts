import { type IncomingHttpHeaders, maxHeaderSize } from "node:http";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import { DomainError } from "@tintype/contract";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { newId } from "../platform/id.ts";
import { isLoopbackHost } from "../platform/loopback.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
import { runForRequest } from "../platform/request-id.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { registerBodyParsers } from "./bodies.ts";
import { type BodyMemoryLimits, limitBodyMemory } from "./body-memory.ts";
import { allowOrigins } from "./cors.ts";
import { handleErrors, problemOf, requestIdHeader, sendProblem } from "./errors.ts";
import { refuseForeignHosts, warnOfUntrustedProxies } from "./host-check.ts";
import { addNetworkRateHeaders } from "./rate-headers.ts";
import { createSlowReaders, type SlowReaders } from "./slow-readers.ts";
import {
  closeSilentUploads,
  closeSlowUploads,
  discardUnread,
  formLimits,
  handleExpectContinue,
  type MinRate,
} from "./upload.ts";

export type AppOptions = {
  logger: FastifyBaseLogger;
  /** The public origin, and other host names that requests may use. Default: any name is accepted. */
  ownHosts?: { origin: string; hosts: readonly string[] };
  /** The first one signs cookies; those signed with the others are still accepted. */
  cookieKeys: readonly string[];
  /** Addresses or CIDR blocks whose forwarding headers are trusted. Default: none; the connection's address counts. */
  trustedProxies: string[] | undefined;
  /** The public address. Browsers honour some headers only from https, some also from localhost. */
  origin: string;
  /** Origins whose pages may call the API from a browser. */
  corsOrigins?: readonly string[];
  requestsPerMinute: number;
  rateLimits: RateLimits;
  /** A keyed hash of a caller's network, by which requests are counted. */
  networkOf(address: string): string;
  tracing?: Pick<Tracing, "plugin">;
  /** The process is shutting down. */
  isStopping?: () => boolean;
  /** The longest pause within a body. Default: one minute. */
  silentMs?: number;
  /** The minimum rate of a body. Default: 64 kB within 30 s, then 8 kB a second. */
  minRate?: MinRate;
  /** The most bytes of bodies in memory. Default: 32 MB, and 8 MB per network. */
  bodyMemory?: BodyMemoryLimits;
  /** Closes the connections of clients that do not take their responses. Default: below 8 kB a second. */
  readers?: SlowReaders;
};

const rateWindowMs = 60_000;

/** The bare HTTP server: parsers, security headers, limits and errors. Routes are mounted on it. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const {
    logger,
    cookieKeys,
    trustedProxies,
    origin,
    corsOrigins = [],
    requestsPerMinute,
    rateLimits,
    networkOf,
  } = options;
  const { protocol, hostname } = new URL(origin);
  const isHttps = protocol === "https:";
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies ?? false,
    genReqId: ({ headers }) => readRequestId(headers) ?? newId("req"),
    requestIdHeader: false,
    // Longer than any parameter: the router's own refusal runs no hooks, and would reveal which addresses take one.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    // A large upload over a slow connection takes long.
    requestTimeout: 30 * 60_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // Fastify's own 503 while closing is not a problem document and lacks Retry-After. Routes respond until the last connection ends.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem(request, reply, error),
    clientErrorHandler({ code }, socket) {
      const id = newId("req");
      // A client that half-closes its connection during the request may still read.
      const problem = new DomainError(code === "HPE_INVALID_EOF_STATE" ? "upload-cut-off" : "invalid-request");
      const body = JSON.stringify(problemOf(problem, id));
      if (socket.writable)
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
    },
  });
  // Before all other hooks, which run within the request's span.
  if (options.tracing?.plugin) await app.register(options.tracing.plugin);
  // Again after the body, whose last byte arrives in the connection's async context.
  for (const hook of ["onRequest", "preValidation"] as const)
    app.addHook(hook, (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
      runForRequest(request.id, done),
    );
  handleErrors(app);
  if (options.ownHosts) refuseForeignHosts(app, options.ownHosts);
  warnOfUntrustedProxies(app, { isHttps });
  await app.register(helmet, {
    // A Google sign-in popup must keep its opener. On other origins browsers ignore the header and log an error.
    crossOriginOpenerPolicy: isHttps || isLoopbackHost(hostname) ? { policy: "same-origin-allow-popups" } : false,
    // Pages set their own policy (site.ts). Nothing else needs to load anything.
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
  await app.register(cookie, { secret: [...cookieKeys] });
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: rateWindowMs,
    store: rateLimitStoreOf(rateLimits),
    keyGenerator: (request) => `requests:${networkOf(request.ip)}`,
    errorResponseBuilder: (_request, { ttl }) =>
      new DomainError("too-many-requests", { retryAfterSeconds: Math.ceil(ttl / 1000) }),
    allowList: (request) => /^\/(healthz|readyz|metrics|assets\/)/.test(request.url),
  });
  addNetworkRateHeaders(app, { windowMs: rateWindowMs });
  registerBodyParsers(app);
  await app.register(multipart, { throwFileSizeLimit: false, limits: formLimits() });
  handleExpectContinue(app);
  limitBodyMemory(app, { limits: options.bodyMemory, networkOf });
  closeSilentUploads(app, options.silentMs);
  closeSlowUploads(app, options.minRate);
  discardUnread(app);
  (options.readers ?? createSlowReaders()).watch(app);
  closeKeptConnections(app, options.isStopping);
  logRequests(app);
  return app;
}

/**
 * A closing process responds on its open connections with `Connection: close`, so that the caller or the load balancer
 * connects to another process. A kept-alive connection would last another 72 s.
 */
function closeKeptConnections(app: FastifyInstance, isStopping = () => false): void {
  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  const isLast = () => isClosing || isStopping();
  app.addHook("onSend", async (_request, reply) => {
    if (isLast()) reply.header("connection", "close");
  });
  // The response headers may have been sent before.
  app.addHook("onResponse", async () => {
    if (isLast()) app.server.closeIdleConnections();
  });
}

/** Characters that are safe in logs and headers. */
const requestIdForm = /^[\w.-]{8,64}$/;
/** W3C Trace Context, §3.2: version, trace id, parent id, flags. */
const traceparentForm = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/;

/** The id that a caller or a proxy gave the request: `X-Request-Id`, or the trace id of `traceparent`. */
function readRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[requestIdHeader];
  if (typeof given === "string" && requestIdForm.test(given)) return given;
  return traceparentForm.exec(String(headers["traceparent"] ?? ""))?.[1];
}

/** Paths that monitors probe every second or two. */
const isProbe = (url: string | undefined) => url === "/readyz" || url === "/healthz";

const jobAddress = /^\/api\/jobs\/(job_\w+)/;

/** One line per request: the declared route and our ids, never an address or a name. Successful probes are not logged. */
function logRequests(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header(requestIdHeader, request.id);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, routeOptions } = request;
    if (isProbe(routeOptions.url) && reply.statusCode < 400) return;
    // For a request that creates a job, the log itself names it.
    const job = jobAddress.exec(request.url)?.[1];
    request.log.info(
      {
        method,
        route: routeOptions.url ?? "none",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...(job === undefined ? {} : { job }),
      },
      "request",
    );
  });
}

/** Backs `@fastify/rate-limit` with our own port. Its keys are hashed where they are created. */
function rateLimitStoreOf(rateLimits: RateLimits): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    incr(...[key, callback, windowMs, limit]: Parameters<FastifyRateLimitStore["incr"]>) {
      rateLimits.take(key, { limit, windowMs }).then(
        ({ isAllowed, remaining, resetSeconds }) =>
          callback(null, { current: isAllowed ? limit - remaining : limit + 1, ttl: resetSeconds * 1000 }),
        (problem: Error) => callback(problem),
      );
    }
    child() {
      return this;
    }
  };
}
