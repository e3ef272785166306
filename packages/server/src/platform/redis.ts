import { randomUUID } from "node:crypto";
import { DomainError } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import { Redis } from "ioredis";
import { withTimeout } from "./with-timeout.ts";

export type RedisLog = Pick<FastifyBaseLogger, "info" | "warn" | "error">;

/** One process's connections to a Redis, which reconnect by themselves after an outage. */
export type RedisLink = {
  /** Shared by everything that neither blocks nor subscribes. During an outage commands wait. */
  readonly shared: Redis;
  /**
   * Runs commands on the shared connection, without waiting for a reconnect.
   * @throws unavailable if Redis cannot be reached or takes longer than `timeoutMs`; the command may still have run
   */
  execute<Answer>(timeoutMs: number, commands: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** A dedicated connection, for a blocking command or for subscriptions. */
  open(): Redis;
  /** Closes every connection. Commands that still wait fail. */
  close(): void;
};

const maxRetryDelayMs = 1_000;
/** The first connection takes some milliseconds: a process that has just started does not refuse work meanwhile. */
const connectTimeoutMs = 1_000;

export function connectRedis({ url, log }: { url: string; log: RedisLog }): RedisLink {
  const shared = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), maxRetryDelayMs),
    connectTimeout: 5_000,
    // Without keepalive a command waits forever for a machine that vanished without closing its connections.
    socketTimeout: 10_000,
    keepAlive: 10_000,
  });
  const opened = new Set([shared]);
  logOutages(shared, log);
  /** Ends the calls of `execute` in progress: without a connection, no reply comes in time. */
  const onLoss = new Set<() => void>();
  shared.on("close", () => {
    for (const fail of onLoss) fail();
  });
  const first = new Promise<void>((done) => {
    shared.once("ready", done);
    shared.once("end", done);
  });
  return {
    shared,
    async execute(timeoutMs, commands) {
      if (shared.status === "connecting" || shared.status === "connect")
        await withTimeout(connectTimeoutMs, first).catch(() => {}); // the status tells the outcome
      if (shared.status !== "ready") throw new DomainError("unavailable", { retryAfterSeconds: 2 });
      let lose = () => {};
      const lost = new Promise<never>((_, fail) => {
        lose = () => fail(new Error("the connection was lost"));
      });
      onLoss.add(lose);
      try {
        return await withTimeout(timeoutMs, Promise.race([commands(shared), lost]));
      } catch (cause) {
        throw new DomainError("unavailable", { retryAfterSeconds: 2, cause });
      } finally {
        onLoss.delete(lose);
      }
    },
    open() {
      const connection = shared.duplicate();
      // `shared` loses the same server at the same time and logs the outage.
      connection.on("error", () => {});
      opened.add(connection);
      connection.once("end", () => opened.delete(connection));
      return connection;
    },
    close() {
      for (const connection of opened) connection.disconnect();
    },
  };
}

/** What Redis' refusals mean to an operator, by the first word of the reply. */
const refusals: Record<string, string> = {
  NOAUTH: "it requires a password, as in redis://:password@host:6379",
  WRONGPASS: "the user name or the password is wrong",
  NOPERM: "the user may not run these commands",
  READONLY: "it is a read-only replica. Use the primary",
  MISCONF: "it refuses writes, since it cannot save its data. See its log",
};

/** Redis answered, and refuses its use: a retry does not help. */
export class RedisRefusal extends Error {}

/**
 * Writes to Redis and reads it back, on a connection of its own. Returns its eviction policy; undefined if the user may not read it.
 * @throws RedisRefusal, or Error if it cannot be reached; both name the setting
 */
export async function probeRedis(url: string): Promise<{ evictionPolicy: string | undefined }> {
  const redis = new Redis(url, {
    lazyConnect: true,
    enableReadyCheck: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 5_000,
  });
  // A wrong password is reported here, and to the commands only as a closed connection.
  let reported: Error | undefined;
  redis.on("error", (problem) => {
    reported ??= problem;
  });
  const key = `tintype:probe:${randomUUID()}`;
  try {
    await redis.connect();
    await redis.set(key, "probe", "PX", 60_000);
    await redis.getdel(key);
    const [, policy] = (await redis.config("GET", "maxmemory-policy").catch(() => [])) as string[]; // a list of name and value
    return { evictionPolicy: policy };
  } catch (problem) {
    const cause = reported ?? problem;
    const message = cause instanceof Error ? cause.message : String(cause);
    const meaning = refusals[message.split(" ")[0] ?? ""];
    if (meaning) throw new RedisRefusal(`REDIS_URL: Redis refuses: ${meaning} (${message}).`, { cause });
    throw new Error(`REDIS_URL: ${message}`, { cause });
  } finally {
    redis.disconnect();
  }
}

/** Logs one line when the connection is lost and one when it is back; a connection reports every failed attempt. */
function logOutages(connection: Redis, log: RedisLog): void {
  let isAway = false;
  connection.on("error", (problem) => {
    if (!isAway) log.error({ err: problem }, "Redis is not responding");
    isAway = true;
  });
  connection.on("ready", () => {
    if (isAway) log.info("Redis is back");
    isAway = false;
  });
}
