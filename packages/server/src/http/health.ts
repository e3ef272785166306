import { timingSafeEqual } from "node:crypto";
import { DomainError } from "@tintype/contract";
import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

export type Health = {
  registry: Registry;
  /** Throws when something the service cannot do without does not answer. */
  checkReady(): Promise<void>;
  /** Where it is set, /metrics wants it as a bearer. */
  metricsToken: string | undefined;
};

/** `/healthz`: the process answers. `/readyz`: it can work. `/metrics`: Prometheus' text format. */
export function mountHealth(app: FastifyInstance, { registry, checkReady, metricsToken }: Health): void {
  app.get("/healthz", async (_request, reply) => reply.header("cache-control", "no-store").send({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    await checkReady().catch((cause: unknown) => {
      throw new DomainError("unavailable", { cause });
    });
    return reply.header("cache-control", "no-store").send({ status: "ready" });
  });
  app.get("/metrics", async (request, reply) => {
    if (metricsToken !== undefined && !isSame(request.headers.authorization ?? "", `Bearer ${metricsToken}`))
      throw new DomainError("unauthorized");
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
