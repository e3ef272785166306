import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Database } from "../platform/db/database.ts";
import { openPostgres } from "../platform/db/postgres.ts";
import { freePort } from "./free-port.ts";
import { startIssuer, type TestIssuer, testEnvironment } from "./issuer.ts";
import { startPostgres, type TestPostgres } from "./postgres.ts";
import { startRedis, type TestRedis } from "./redis.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const flushingCompileCache = ["--import", new URL("./flush-compile-cache.ts", import.meta.url).href];

export type Member = {
  baseUrl: string;
  pid: number;
  /** Kills it with a signal and waits for its end. Returns its status; null if the signal itself ended it. */
  kill(signal: NodeJS.Signals): Promise<number | null>;
};

export type Cluster = {
  db: Database;
  postgres: TestPostgres;
  redis: TestRedis;
  issuer: TestIssuer;
  /** The folder of the pictures. */
  spool: string;
  /** Starts one more process of the service, and resolves when it is ready. */
  start(role: "api" | "worker" | "all", environment?: Record<string, string>): Promise<Member>;
  close(): Promise<void>;
};

/** Several processes of the service, started like `npm start`, on one PostgreSQL, one Redis and one shared folder. */
export async function startCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "tintype-cluster-"));
  const [postgres, redis, issuer] = await Promise.all([startPostgres(), startRedis(), startIssuer()]);
  const database = await openPostgres(postgres.url);
  const spool = join(folder, "spool");
  const members = new Set<Member>();
  let made = 0;
  /** Roles of which a process has written its compile cache: the next ones take half the CPU time to start. */
  const compiled = new Set<string>();
  return {
    db: database.db,
    postgres,
    redis,
    issuer,
    spool,
    async start(role, environment = {}) {
      const port = await freePort();
      const data = join(folder, `member-${made++}`);
      mkdirSync(data);
      const child = spawn(process.execPath, [...flushingCompileCache, main], {
        env: {
          PATH: process.env["PATH"],
          NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
          PORT: String(port),
          HOST: "127.0.0.1",
          TINTYPE_DATA: data,
          TINTYPE_ROLE: role,
          TINTYPE_WORK: "picture",
          ...testEnvironment(issuer),
          TINTYPE_LOG_LEVEL: "warn",
          TINTYPE_SECRET: "one secret for all the processes of a test",
          TINTYPE_BLOBS: spool,
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          RATE_LIMIT_PER_MINUTE: "100000",
          ...environment,
        },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const exited = once(child, "exit");
      let isReady = false;
      for await (const line of createInterface(child.stdout)) {
        isReady = line.startsWith("Tintype is ready");
        if (isReady) break;
      }
      child.stdout.resume();
      if (child.pid === undefined || !isReady) throw new Error(`A process of role ${role} did not start.`);
      if (!compiled.has(role)) child.kill("SIGUSR2");
      compiled.add(role);
      const member: Member = {
        baseUrl: `http://127.0.0.1:${port}`,
        pid: child.pid,
        async kill(signal) {
          members.delete(member);
          child.kill(signal);
          const [status] = await exited;
          return status;
        },
      };
      members.add(member);
      return member;
    },
    async close() {
      await Promise.all([...members].map((member) => member.kill("SIGKILL")));
      await database.close();
      await Promise.all([postgres.close(), redis.close(), issuer.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
