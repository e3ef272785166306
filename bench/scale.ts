// How far the queue scales: the service's own job code, on a real PostgreSQL and Redis, with engines that sleep
// instead of working, in 1 to 48 worker processes. Prints the share of the ideal throughput, and the cost of a file
// on each server. npm run bench:scale [-- --workers=1,4,16,48 --seconds=20 --sleep=200-400]
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { rowsOf } from "../packages/server/src/platform/db/database.ts";
import { openPostgres } from "../packages/server/src/platform/db/postgres.ts";
import { createLog } from "../packages/server/src/platform/log.ts";
import { connectRedis } from "../packages/server/src/platform/redis.ts";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { startRedis } from "../packages/server/src/testing/redis.ts";
import type { MemberOptions, MemberReport } from "./scale/member-report.ts";
import { childrenOf } from "./service/processes.ts";

const { values } = parseArgs({
  options: {
    workers: { type: "string", default: "1,4,16,48" },
    seconds: { type: "string", default: "20" },
    sleep: { type: "string", default: "200-400" },
  },
});
const seconds = Number(values.seconds);
const [least = 200, most = 400] = values.sleep.split("-").map(Number);
/** So that the API processes are not the bottleneck. */
const workersForAnApi = 16;
const clockTicks = 100;
const member = fileURLToPath(new URL("scale/member.ts", import.meta.url));

/** CPU time of a process and of its children, living and ended, ms. */
function treeCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const own = [11, 12, 13, 14].reduce((sum, i) => sum + Number(fields[i]), 0) * (1000 / clockTicks);
  return own + childrenOf(pid).reduce((sum, child) => sum + treeCpuMs(child), 0);
}
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
}

async function measure(workers: number) {
  const folder = mkdtempSync(join(tmpdir(), "tintype-scale-"));
  // As an operator would run it: with fsync.
  const [postgres, redis] = await Promise.all([startPostgres({ fsync: true, max_connections: 1000 }), startRedis()]);
  const { db, close } = await openPostgres(postgres.url);
  const link = connectRedis({ url: redis.url, log: createLog("error") });
  const members: ChildProcess[] = [];
  const start = async (role: MemberOptions["role"], callers: number) => {
    const options: MemberOptions = {
      role,
      callers,
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      blobs: join(folder, "blobs"),
      sleepMs: [least, most],
    };
    const child = fork(member, [JSON.stringify(options)]);
    members.push(child);
    await once(child, "message"); // it is ready
    return child;
  };
  const ask = async (children: ChildProcess[]) => {
    const reports = await Promise.all(
      children.map(async (child) => {
        child.send("report");
        const [report] = (await once(child, "message")) as [MemberReport]; // it sends nothing else
        return report;
      }),
    );
    const sum = (of: (report: MemberReport) => number) => reports.reduce((total, report) => total + of(report), 0);
    return {
      files: sum(({ files }) => files),
      sleptMs: sum((report) => report.sleptMs),
      waitMs: sum((report) => report.waitMs),
      statements: sum((report) => report.statements),
      cpuMs: sum((report) => report.cpuMs),
    };
  };
  try {
    const rows = await rowsOf<{ pid: number }>(db.execute("select pg_backend_pid() as pid"));
    const postmaster = parentOf(rows[0]?.pid ?? 0);
    const look = async (apis: ChildProcess[], takers: ChildProcess[]) => {
      const at = performance.now();
      const info = await link.shared.info();
      const number = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(info)?.[1]);
      return {
        at,
        api: await ask(apis),
        worker: await ask(takers),
        postgresMs: treeCpuMs(postmaster),
        redisMs: (number("used_cpu_user") + number("used_cpu_sys")) * 1000,
        redisCommands: number("total_commands_processed"),
      };
    };
    const takers = await Promise.all(Array.from({ length: workers }, () => start("worker", 0)));
    const apiCount = Math.ceil(workers / workersForAnApi);
    const apis = await Promise.all(
      Array.from({ length: apiCount }, () => start("api", Math.ceil((2 * workers) / apiCount))),
    );
    await wait(5_000); // until callers and workers have settled
    const before = await look(apis, takers);
    await wait(seconds * 1000);
    const after = await look(apis, takers);
    const sums = await rowsOf<{ used: number; charged: number }>(
      db.execute(`
      select (select coalesce(sum(total_used), 0)::int from allowances) as used,
        (select count(*)::int from credit_entries where kind = 'charge') as charged`),
    );
    if (!sums[0] || sums[0].used !== sums[0].charged) throw new Error("The ledger differs from its counters.");
    const files = after.api.files - before.api.files;
    const perFile = (total: number) => (total / files).toFixed(2);
    const elapsedMs = after.at - before.at;
    const statements =
      after.api.statements - before.api.statements + after.worker.statements - before.worker.statements;
    return {
      "worker processes": workers,
      "API processes": apiCount,
      "files a second": ((files / elapsedMs) * 1000).toFixed(1),
      "share of ideal": ((after.worker.sleptMs - before.worker.sleptMs) / (elapsedMs * workers)).toFixed(2),
      "PostgreSQL statements": perFile(statements),
      "PostgreSQL ms": perFile(after.postgresMs - before.postgresMs),
      "Redis commands": perFile(after.redisCommands - before.redisCommands),
      "Redis ms": perFile(after.redisMs - before.redisMs),
      "API ms": perFile(after.api.cpuMs - before.api.cpuMs),
      "worker ms": perFile(after.worker.cpuMs - before.worker.cpuMs),
    };
  } finally {
    for (const child of members) {
      const exited = once(child, "exit");
      if (child.connected) child.disconnect();
      child.kill("SIGKILL");
      await exited;
    }
    link.close();
    await close();
    await Promise.all([postgres.close(), redis.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

const rows = [];
for (const workers of values.workers.split(",").map(Number)) {
  rows.push(await measure(workers));
  console.error(rows.at(-1)); // printed as it comes: the whole run takes minutes
}
console.log(`${seconds} s each, engines sleep ${least} to ${most} ms; columns from PostgreSQL on are for each file`);
console.table(rows);
