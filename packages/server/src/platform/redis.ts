import { DomainError } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import { Redis } from "ioredis";

export type RedisLog = Pick<FastifyBaseLogger, "info" | "warn" | "error">;

/** One process's connections to a Redis, which reconnect by themselves after an outage. */
export type RedisLink = {
  /** Shared by everything that neither blocks nor subscribes. A command waits until the server is back. */
  readonly shared: Redis;
  /**
   * Runs commands on the shared connection, now or not at all.
   * @throws unavailable where Redis is away or takes longer than `timeoutMs`; the command may have run all the same
   */
  ask<Answer>(timeoutMs: number, commands: (redis: Redis) => Promise<Answer>): Promise<Answer>;
  /** A connection of its own: for a command that blocks, or for subscriptions. */
  open(): Redis;
  /** Cuts every connection; commands that still wait fail. */
  close(): void;
};

const longestRetryMs = 1_000;
/** A first connection takes some milliseconds; a process that has just begun does not refuse work in the meantime. */
const firstConnectionMs = 1_000;

export function connectRedis({ url, log }: { url: string; log: RedisLog }): RedisLink {
  const shared = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), longestRetryMs),
    connectTimeout: 5_000,
    // Without keepalive a command waits forever for a machine that vanished without closing its connections.
    socketTimeout: 10_000,
    keepAlive: 10_000,
  });
  const opened = new Set([shared]);
  logOutages(shared, log);
  /** Ends the calls of `ask` that are under way: without a connection, no answer comes in time. */
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
    async ask(timeoutMs, commands) {
      if (shared.status === "connecting" || shared.status === "connect")
        await withinMs(firstConnectionMs, first).catch(() => {}); // the status tells the outcome
      if (shared.status !== "ready") throw new DomainError("unavailable", { retryAfterSeconds: 2 });
      let lose = () => {};
      const lost = new Promise<never>((_, fail) => {
        lose = () => fail(new Error("the connection was lost"));
      });
      onLoss.add(lose);
      try {
        return await withinMs(timeoutMs, Promise.race([commands(shared), lost]));
      } catch (cause) {
        throw new DomainError("unavailable", { retryAfterSeconds: 2, cause });
      } finally {
        onLoss.delete(lose);
      }
    },
    open() {
      const connection = shared.duplicate();
      // `shared` loses the same server at the same time, and its outages are logged.
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

/** One line when the server goes, one when it is back: a connection reports each failed attempt. */
function logOutages(connection: Redis, log: RedisLog): void {
  let isAway = false;
  connection.on("error", (problem) => {
    if (!isAway) log.error({ err: problem }, "Redis does not answer");
    isAway = true;
  });
  connection.on("ready", () => {
    if (isAway) log.info("Redis is back");
    isAway = false;
  });
}

/**
 * Waits for the promise. An answer that lies in the socket when the time is over counts: a process that was busy for longer
 * than `ms` reads it only then.
 * @throws Error after `ms`; the promise goes on, and its own failure is then of no interest
 */
export async function withinMs<Answer>(ms: number, promise: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => setImmediate(() => fail(new Error(`no answer within ${ms} ms`))), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
