import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "./free-port.ts";

export type TestRedis = {
  url: string;
  /** Kills it. `start` brings it back on the same port, with what it had persisted. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Deletes everything in it. */
  empty(): Promise<void>;
  close(): Promise<void>;
};

const binary = "/usr/bin/redis-server";

/**
 * A separate Redis on a free port, in a temporary folder. `npm run verify` installs it if missing.
 * @throws Error when there is none on the machine: a test that needs it must not pass without it
 */
export async function startRedis(): Promise<TestRedis> {
  if (!existsSync(binary)) throw new Error("Redis is not installed; npm run verify installs it where it runs as root.");
  const folder = mkdtempSync(join(tmpdir(), "tintype-redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const settings = [
      "--port",
      String(port),
      "--bind",
      "127.0.0.1",
      "--dir",
      folder,
      "--save",
      "",
      "--appendonly",
      "yes",
      // Written data still survives the kill, and a slow disk does not delay replies.
      "--appendfsync",
      "no",
    ];
    server = spawn(binary, settings, { stdio: "ignore" });
    await answers(url, server);
  };
  const stop = async () => {
    const stopping = server;
    server = undefined;
    if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return;
    const exited = once(stopping, "exit");
    stopping.kill("SIGKILL");
    await exited;
  };
  await start();
  return {
    url,
    start,
    stop,
    empty: () => asked(url, (redis) => redis.flushall()),
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function asked(url: string, ask: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on("error", () => {}); // the command tells
  try {
    await redis.connect();
    await ask(redis);
  } finally {
    redis.disconnect();
  }
}

async function answers(url: string, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end && server.exitCode === null; ) {
    const isUp = await asked(url, (redis) => redis.ping()).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error("Redis did not start.");
}
