import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Bus } from "../platform/bus/bus.ts";
import { createLocalBus } from "../platform/bus/local.ts";
import type { Clock } from "../platform/clock.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import type { RateLimits } from "../platform/rate-limits/rate-limits.ts";
import { countWiderNetworks } from "../platform/rate-limits/rate-limits.ts";
import { createLocalWork } from "../platform/work/local.ts";
import type { Work } from "../platform/work/work.ts";

/** Messages between the processes of one service. All of them may be lost: the database's rows are authoritative. */
export type Links = {
  work: Work;
  bus: Bus;
  rateLimits: RateLimits;
  /** @throws unavailable if Redis does not take a write */
  check(): Promise<void>;
  close(): Promise<void>;
};

const checkTimeoutMs = 2_000;

type LinksOptions = { clock: Clock; log: FastifyBaseLogger };

/** Within this process, or through Redis if `REDIS_URL` is set. Only then is its code loaded. */
export async function openLinks(config: Config, options: LinksOptions): Promise<Links> {
  const links = await (config.REDIS_URL ? openRedis(config.REDIS_URL, options) : openLocal(options));
  return { ...links, rateLimits: countWiderNetworks(links.rateLimits) };
}

async function openLocal({ clock, log }: LinksOptions): Promise<Links> {
  const work = createLocalWork({ log });
  const bus = createLocalBus();
  const rateLimits = createMemoryRateLimits({ clock });
  return { work, bus, rateLimits, check: async () => {}, close: () => closeAll({ work, bus, rateLimits }) };
}

async function openRedis(url: string, { clock, log }: LinksOptions): Promise<Links> {
  const [
    { connectRedis, probeRedis, RedisRefusal },
    { createBullmqWork },
    { createRedisBus },
    { createRedisRateLimits },
  ] = await Promise.all([
    import("../platform/redis.ts"),
    import("../platform/work/bullmq.ts"),
    import("../platform/bus/redis.ts"),
    import("../platform/rate-limits/redis.ts"),
  ]);
  await probeRedis(url).then(
    ({ evictionPolicy = "noeviction" }) => {
      if (evictionPolicy !== "noeviction")
        log.warn({ evictionPolicy }, "Redis may evict waiting work: set maxmemory-policy to noeviction");
    },
    (problem: unknown) => {
      // One that cannot be reached yet is waited for, and logged by the connection.
      if (problem instanceof RedisRefusal) throw problem;
    },
  );
  const redis = connectRedis({ url, log });
  const work = createBullmqWork({ redis, log });
  const bus = createRedisBus({ redis });
  const rateLimits = createRedisRateLimits({ redis, alone: createMemoryRateLimits({ clock }), log });
  return {
    work,
    bus,
    rateLimits,
    check: () =>
      redis.execute(checkTimeoutMs, async (shared) => void (await shared.set("tintype:probe", "ready", "PX", 60_000))),
    async close() {
      await closeAll({ work, bus, rateLimits });
      redis.close();
    },
  };
}

async function closeAll({ work, bus, rateLimits }: Pick<Links, "work" | "bus" | "rateLimits">): Promise<void> {
  await work.close();
  await Promise.all([bus.close(), rateLimits.close()]);
}
