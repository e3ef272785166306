import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Database } from "../platform/db/database.ts";
import { openPostgres } from "../platform/db/postgres.ts";
import { startIssuer, type TestIssuer, testEnvironment } from "./issuer.ts";
import { startPostgres } from "./postgres.ts";

const dyingServer = fileURLToPath(new URL("./dying-server.ts", import.meta.url));
const resolveDrizzle = new URL("../platform/db/resolve-drizzle.ts", import.meta.url).href;

export type KillableService = {
  db: Database;
  issuer: TestIssuer;
  /** Its data folder. */
  folder: string;
  start(): Promise<KillableServer>;
  close(): Promise<void>;
};
export type KillableServer = {
  baseUrl: string;
  /** Resolves when the process has ended, for whatever reason. */
  exited: Promise<unknown>;
  isOver(): boolean;
  /** Kills it with SIGKILL. */
  stop(): Promise<void>;
};

/** Real processes, actually killed, one after the other on the same data. On PostgreSQL, since that starts fastest. */
export async function prepareKillableService(environment: Record<string, string> = {}): Promise<KillableService> {
  const postgres = await startPostgres();
  const issuer = await startIssuer();
  const folder = mkdtempSync(join(tmpdir(), "tintype-mortal-"));
  const database = await openPostgres(postgres.url);
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    TINTYPE_DATA: folder,
    ...testEnvironment(issuer),
    DATABASE_URL: postgres.url,
    ...environment,
  };
  const load = () =>
    spawn(process.execPath, ["--import", resolveDrizzle, dyingServer], { env, stdio: ["pipe", "pipe", "inherit"] });
  /** The next server: it loads its code while the current one still runs. */
  let next = load();
  return {
    db: database.db,
    issuer,
    folder,
    async start() {
      const child = next;
      next = load();
      child.stdin.end("begin");
      const exited = once(child, "exit");
      const [baseUrl] = (await once(createInterface(child.stdout), "line")) as [string]; // its first line is its address
      const isOver = () => child.exitCode !== null || child.signalCode !== null;
      const stop = async () => {
        child.kill("SIGKILL");
        await exited;
      };
      return { baseUrl, exited, isOver, stop };
    },
    async close() {
      next.kill("SIGKILL");
      await database.close();
      await postgres.close();
      await issuer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
