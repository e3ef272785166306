import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Database } from "../platform/db/database.ts";
import { openPostgres } from "../platform/db/postgres.ts";
import { createDatabase } from "./backends.ts";
import { isDeep } from "./deep.ts";
import { startIssuer, type TestIssuer, testEnvironment } from "./issuer.ts";
import { type MortalService, startMortalService } from "./mortal-service.ts";
import { createTestEngines } from "./test-engines.ts";

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
  /** Resolves when the server has ended, for whatever reason. */
  exited: Promise<unknown>;
  isOver(): boolean;
  /** Kills it. */
  stop(): Promise<void>;
};

/** Longer than any reservation that a killed server leaves behind. */
const successorIsLaterMs = 130_000;

/**
 * Servers that are killed, one after the other on the same data: in this process for a commit, as loading one takes seconds, and in
 * processes of their own for a release. Each one's clock is so far ahead of its predecessor's that it need not wait for what that had
 * reserved.
 */
export async function prepareKillableService(settings: Record<string, string> = {}): Promise<KillableService> {
  const postgres = await createDatabase();
  const issuer = await startIssuer();
  const folder = mkdtempSync(join(tmpdir(), "tintype-mortal-"));
  const database = await openPostgres(postgres.url);
  const environment = {
    TINTYPE_DATA: folder,
    ...testEnvironment(issuer),
    DATABASE_URL: postgres.url,
    ...settings,
  };
  const servers = isDeep ? prepareProcesses(environment) : prepareHere(environment);
  let started = 0;
  return {
    db: database.db,
    issuer,
    folder,
    start() {
      writeFileSync(join(folder, "clock-offset-ms"), String(successorIsLaterMs * started++));
      return servers.start();
    },
    async close() {
      servers.close();
      await database.close();
      await postgres.close();
      await issuer.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Servers = { start(): Promise<KillableServer>; close(): void };

function prepareHere(environment: Record<string, string>): Servers {
  let last: MortalService | undefined;
  return {
    async start() {
      const { end, ...server } = await startMortalService({ environment, openEngines: createTestEngines().open });
      last = { end, ...server };
      return { ...server, stop: async () => end() };
    },
    close: () => last?.end(),
  };
}

function prepareProcesses(environment: Record<string, string>): Servers {
  const load = () =>
    spawn(process.execPath, ["--import", resolveDrizzle, dyingServer], {
      env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment },
      stdio: ["pipe", "pipe", "inherit"],
    });
  /** The next server: it loads its code while the current one still runs. */
  let next = load();
  return {
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
    close: () => next.kill("SIGKILL"),
  };
}
