import { DomainError } from "@tintype/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Registry } from "prom-client";
import { isLoopback } from "../platform/loopback.ts";
import { releaseVersion } from "../platform/release.ts";
import { isSameText } from "../platform/same-text.ts";

export type Health = {
  registry: Registry;
  /** Throws if a required dependency does not respond; a DomainError if the answer may say why. */
  checkReady(): Promise<void>;
  /** Whether the process is shutting down: it is then alive but not ready, and a load balancer sends it no calls. */
  isStopping(): boolean;
  /** If set, /metrics requires it as a bearer token; otherwise /metrics responds only to this machine, unless `isPublic`. */
  metricsToken: string | undefined;
  /**
   * Others than this machine's people are served. A proxy on this machine need not send any header that tells its callers from
   * this machine's, so that /metrics then requires a token.
   */
  isPublic: boolean;
};

/** Results are cached this long: each check costs a connection and a query, and anyone may call it. */
const readyCacheMs = 1000;

/** `/healthz`: the process responds. `/readyz`: whether it is ready, and its release. `/metrics`: Prometheus' text format. */
export function mountHealth(
  app: FastifyInstance,
  { registry, checkReady, isStopping, metricsToken, isPublic }: Health,
): void {
  app.get("/healthz", async (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }));
  const isReady = cachedFor(readyCacheMs, checkReady);
  app.get("/readyz", async (_request, reply) => {
    if (isStopping()) throw new DomainError("unavailable", { detail: "This process is stopping." });
    await isReady().catch((cause: unknown) => {
      throw cause instanceof DomainError ? cause : new DomainError("unavailable", { cause });
    });
    return reply.header("cache-control", "no-store").send({ status: "ready", version: releaseVersion });
  });
  app.get("/metrics", async (request, reply) => {
    const mayRead =
      metricsToken === undefined ? !isPublic && isFromThisMachine(request) : hasToken(request, metricsToken);
    if (!mayRead)
      throw new DomainError("unauthorized", {
        detail: "Metrics require their own bearer token.",
        cause: `TINTYPE_METRICS_TOKEN ${metricsToken === undefined ? "is not set" : "is another"}`,
      });
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

const hasToken = ({ headers }: FastifyRequest, token: string): boolean =>
  isSameText(headers.authorization ?? "", `Bearer ${token}`);

/** Headers that a proxy adds: behind one on this machine, every caller seems to be loopback. */
const forwarding = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

function isFromThisMachine({ headers, socket }: FastifyRequest): boolean {
  return isLoopback(socket.remoteAddress ?? "") && forwarding.every((name) => headers[name] === undefined);
}

/** Caches the result, good or bad, for `gapMs` from the start of the check. */
export function cachedFor(gapMs: number, check: () => Promise<void>): () => Promise<void> {
  let last: { at: number; response: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= gapMs) last = { at: now, response: check() };
    return last.response;
  };
}
