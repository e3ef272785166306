import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import serverPackage from "../../packages/server/package.json" with { type: "json" };
import type { Recording } from "../../packages/server/src/testing/call-recorder.ts";
import { freePort } from "../../packages/server/src/testing/free-port.ts";
import type { TestIssuer } from "../../packages/server/src/testing/issuer.ts";
import { startPostgres } from "../../packages/server/src/testing/postgres.ts";
import { startRedis } from "../../packages/server/src/testing/redis.ts";
import { childrenOf, programOf, startScript, stop, treeCpuMs } from "./processes.ts";

export type ServiceOptions = {
  /** The checkout that is measured. */
  root: string;
  /** Its data is stored in a folder below this one. */
  folder: string;
  issuer: TestIssuer;
  /** Loads call-recorder.ts into each process. */
  isRecorded?: boolean;
};

/** CPU time since the last call, ms, by kind of process. */
export type CpuMs = { api: number; worker: number; engines: number; database: number; redis: number };

export type BenchedService = {
  base: string;
  pid: number;
  /** The events of all its processes since the last call, in order of their end, and their CPU time. */
  take(): Promise<{ events: Recording["events"]; cpuMs: CpuMs }>;
  close(): Promise<void>;
};

export const thisCheckout = fileURLToPath(new URL("../..", import.meta.url));

/** As in `npm start`. */
const [startSettings = "", startFlags = ""] = serverPackage.scripts.start.split(/ ?\bnode /);
const startEnvironment = Object.fromEntries(startSettings.split(" ").map((setting) => setting.split("=")));

type Part = "api" | "worker";

async function startProcess(part: Part, { root, folder, issuer, isRecorded, env }: Started) {
  const port = await freePort();
  const recorder = new URL("packages/server/src/testing/call-recorder.ts", `file://${root}/`).href;
  const { child } = await startScript(join(root, "packages/server/src/main.ts"), {
    flags: [...startFlags.split(" ").slice(0, -1), ...(isRecorded ? ["--import", recorder] : [])],
    hasChannel: isRecorded ?? false,
    env: {
      ...startEnvironment,
      PORT: String(port),
      TINTYPE_DATA: mkdtempSync(join(folder, "data-")),
      TINTYPE_LOG_LEVEL: "info",
      TINTYPE_SITE: "false",
      RATE_LIMIT_PER_MINUTE: "1000000",
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
      ...env,
    },
  });
  child.stdout?.resume();
  const base = `http://127.0.0.1:${port}`;
  for (let isReady = false; !isReady; )
    isReady = await fetch(`${base}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  const pid = child.pid ?? 0;
  let engineMs = 0;
  const take = async () => {
    child.send("take");
    const [recording] = (await once(child, "message")) as [Recording]; // call-recorder.ts sends nothing else
    const used = childrenOf(pid).reduce((sum, engine) => sum + treeCpuMs(engine), 0);
    const spent = { ...recording, engineMs: used - engineMs };
    engineMs = used;
    return spent;
  };
  return { part, base, pid, take, close: () => stop(child) };
}
type Started = ServiceOptions & { env: Record<string, string> };

/** One process, with the database in it. */
export async function startEmbedded(options: ServiceOptions): Promise<BenchedService> {
  const all = await startProcess("api", { ...options, env: {} });
  return {
    ...all,
    async take() {
      const { events, cpuMs, databaseMs, engineMs } = await all.take();
      return {
        events,
        cpuMs: { api: cpuMs - databaseMs, worker: 0, engines: engineMs, database: databaseMs, redis: 0 },
      };
    },
  };
}

/** An API process and a worker on PostgreSQL and Redis. */
export async function startApart(options: ServiceOptions): Promise<BenchedService> {
  const [postgres, redis] = [await startPostgres(), await startRedis()];
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    TINTYPE_BLOBS: mkdtempSync(join(options.folder, "blobs-")),
    TINTYPE_SECRET: "one secret for all the processes of a bench",
    TINTYPE_WORK: "picture",
  };
  const api = await startProcess("api", { ...options, env: { ...env, TINTYPE_ROLE: "api" } });
  const worker = await startProcess("worker", { ...options, env: { ...env, TINTYPE_ROLE: "worker" } });
  const last = { database: 0, redis: 0 };
  /** Of a server that this process started. */
  const since = (kind: keyof typeof last, program: string) => {
    const pids = childrenOf(process.pid).filter((pid) => programOf(pid) === program);
    const used = pids.reduce((sum, pid) => sum + treeCpuMs(pid), 0);
    const spent = used - last[kind];
    last[kind] = used;
    return spent;
  };
  return {
    ...api,
    async take() {
      const [ofApi, ofWorker] = await Promise.all([api.take(), worker.take()]);
      return {
        events: [...ofApi.events, ...ofWorker.events].sort((a, b) => a.end - b.end),
        cpuMs: {
          api: ofApi.cpuMs,
          worker: ofWorker.cpuMs,
          engines: ofWorker.engineMs,
          database: since("database", "postgres"),
          redis: since("redis", "redis-server"),
        },
      };
    },
    async close() {
      await worker.close();
      await api.close();
      await Promise.all([postgres.close(), redis.close()]);
    },
  };
}
