import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rowsOf } from "./platform/db/database.ts";
import { type Cluster, startCluster } from "./testing/cluster.ts";
import { freePort } from "./testing/free-port.ts";
import { createCaller } from "./testing/harness.ts";
import { noisePng } from "./testing/pictures.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

let cluster: Cluster;
const folder = mkdtempSync(join(tmpdir(), "tintype-main-"));
/** Processes of `npm start`, each the leader of its process group. */
const groups: number[] = [];
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(async () => {
  for (const group of groups) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      // It has ended, as it should.
    }
  }
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Exists while a server uses the folder. */
const lock = join(folder, "lock");

/** `npm start`, once the server listens. */
async function npmStart() {
  const port = String(await freePort());
  const npm = spawn("npm", ["start", "--silent"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: folder,
      PORT: port,
      HOST: "127.0.0.1",
      TINTYPE_DATA: folder,
      TINTYPE_SITE: "false",
      TINTYPE_ENGINES: "1",
      TINTYPE_LOG_LEVEL: "silent",
    },
  });
  const exited = once(npm, "exit");
  if (npm.pid === undefined) throw new Error("npm did not start.");
  groups.push(npm.pid);
  await once(npm.stdout, "data");
  return { npm, exited, group: npm.pid };
}

test("SIGTERM to `npm start` reaches the server, which leaves with 0", async () => {
  const { npm, exited } = await npmStart();
  expect(existsSync(lock)).toBe(true);
  npm.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
  expect(existsSync(lock)).toBe(false);
});

test("Ctrl-C, which the server hears from the terminal and from npm, lets it close what it has opened", async () => {
  const { exited, group } = await npmStart();
  // Like a terminal, to the whole process group.
  process.kill(-group, "SIGINT");
  expect(await exited).toEqual([0, null]);
  expect(existsSync(lock)).toBe(false);
});

test("a worker whose port is taken hands back what it took up, and says farewell", async () => {
  const api = await cluster.start("api");
  const token = await cluster.issuer.token("of the taken port");
  const begun = await createCaller(api.baseUrl, token).run(
    "compress",
    [{ name: "a.png", bytes: noisePng(1300, 1300) }],
    { quality: "60" },
    { prefer: "respond-async" },
  );
  expect(begun.status).toBe(202);
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number }; // a TCP server has one
  await expect(cluster.start("worker", { PORT: String(port) })).rejects.toThrow("did not start");
  const [rows] = await rowsOf(
    cluster.db.execute(sql`
      select (select array_agg(role) from processes) as roles,
        (select json_agg(json_build_array(state, tries)) from job_files) as files`),
  );
  expect(rows).toEqual({ roles: ["api"], files: [["waiting", 0]] });
  other.close();
  await api.kill("SIGKILL");
});

test("told to stop while PostgreSQL is away, a process leaves with 0", async () => {
  const worker = await cluster.start("worker", { TINTYPE_LOG_LEVEL: "silent" });
  await cluster.postgres.stop();
  expect(await worker.kill("SIGTERM")).toBe(0);
  await cluster.postgres.start();
});
