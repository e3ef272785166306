import { DomainError } from "@tintype/contract";
import type { FastifyInstance } from "fastify";
import { createApp } from "../http/app.ts";
import { sendProblem } from "../http/errors.ts";
import { mountHealth } from "../http/health.ts";
import { systemClock } from "../platform/clock.ts";
import { type Disk, requireRoom } from "../platform/disk.ts";
import { acceptedKeys } from "../platform/keys.ts";
import { networkKey } from "../platform/network.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { countWiderNetworks } from "../platform/rate-limits/rate-limits.ts";
import type { ApiDependencies } from "./api.ts";
import { createReadiness } from "./readiness.ts";

type WorkerHttpDependencies = Pick<
  ApiDependencies,
  "config" | "logger" | "metrics" | "isStopping" | "stores" | "links"
> & {
  disk: Disk;
};

/** The server of a process without callers: its health and metrics. */
export async function createWorkerHttp({
  config,
  logger,
  stores,
  links,
  metrics,
  isStopping,
  disk,
}: WorkerHttpDependencies): Promise<FastifyInstance> {
  const checkReady = createReadiness({ stores, links });
  const app = await createApp({
    logger,
    cookieKeys: acceptedKeys(config, "guestCookies"),
    trustedProxies: undefined,
    origin: "http://localhost",
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    rateLimits: countWiderNetworks(createMemoryRateLimits({ clock: systemClock })),
    networkOf: (address) => networkKey(address, config.keys.networks),
  });
  mountHealth(app, {
    registry: metrics.registry,
    metricsToken: config.TINTYPE_METRICS_TOKEN,
    isPublic: false,
    isStopping,
    async checkReady() {
      await requireRoom(disk);
      await checkReady();
    },
  });
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, new DomainError("not-found")));
  return app;
}
