import type { FastifyInstance, FastifyReply } from "fastify";

export type RateState = { limit: number; windowMs: number; remaining: number; resetSeconds: number };

/**
 * Adds one of the caller's limits as headers of draft-ietf-httpapi-ratelimit-headers-10. Several are combined as a structured-field list.
 */
export function addRateHeaders(
  reply: FastifyReply,
  name: string,
  { limit, windowMs, remaining, resetSeconds }: RateState,
): void {
  append(reply, "ratelimit-policy", `"${name}";q=${limit};w=${windowMs / 1000}`);
  append(reply, "ratelimit", `"${name}";r=${remaining};t=${resetSeconds}`);
}

function append(reply: FastifyReply, header: string, item: string): void {
  const before = reply.getHeader(header);
  reply.header(header, before === undefined ? item : `${before}, ${item}`);
}

/** Adds the limit of requests per network, which `@fastify/rate-limit` reports in its own headers. */
export function addNetworkRateHeaders(app: FastifyInstance, { windowMs }: { windowMs: number }): void {
  const addHeaders = (reply: FastifyReply) => {
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((part) =>
      Number(reply.getHeader(`x-ratelimit-${part}`) ?? Number.NaN),
    ) as [number, number, number]; // three in, three out
    if (!Number.isNaN(limit) && !String(reply.getHeader("ratelimit") ?? "").includes('"network"'))
      addRateHeaders(reply, "network", { limit, windowMs, remaining, resetSeconds: reset });
  };
  // After the counting, which is a route's own hook. The second hook is for requests that it refused.
  app.addHook("preParsing", async (_request, reply) => addHeaders(reply));
  app.addHook("onSend", async (_request, reply) => addHeaders(reply));
}
