// The cost of the product's statements on a grown database: a million ledger entries, with people, jobs, sessions and
// payments in proportion, on its own PostgreSQL. Prints the slowest statements with their plans, and the sequential
// scans. npm run bench:million -- --entries=1000000 --shown=10
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { systemClock } from "../packages/server/src/platform/clock.ts";
import { startTestApp } from "../packages/server/src/testing/harness.ts";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import {
  connectionOf,
  explain,
  nodesOf,
  type Plan,
  partialIndexes,
  recordStatements,
  type Statement,
  scansIn,
} from "../packages/server/src/testing/recorded-statements.ts";
import { growingTables, seedRows } from "../packages/server/src/testing/seed-rows.ts";
import { usedProduct, useProduct } from "../packages/server/src/testing/use-product.ts";

const { values } = parseArgs({
  options: { entries: { type: "string", default: "1000000" }, shown: { type: "string", default: "10" } },
});
const entries = Number(values.entries);
const rounds = 5;
const origin = "http://localhost:54341";

const postgres = await startPostgres({ shared_buffers: "256MB", jit: false });
const app = await startTestApp({
  clock: systemClock,
  environment: { ...usedProduct(origin), DATABASE_URL: postgres.url },
});
try {
  const begin = performance.now();
  const { rows } = await seedRows(app.db, { entries });
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  console.error(`${total} rows in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
  const recording = recordStatements();
  await useProduct(app, origin);
  const statements = recording.stop();
  const client = await connectionOf(app.db);
  try {
    const partial = await partialIndexes(client);
    const measured: Measured[] = [];
    for (const statement of statements) {
      const plans: Plan[] = [];
      for (let round = 0; round < rounds; round++) plans.push(await explain(client, statement, { analyze: true }));
      const [plan = { "Node Type": "" }] = plans.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(rounds >> 1);
      measured.push({ statement, plan, scans: scansIn(plan, { tables: growingTables, partial }) });
    }
    report(measured, Number(values.shown));
  } finally {
    client.release();
  }
} finally {
  await app.close();
  await postgres.close();
}

type Measured = { statement: Statement; plan: Plan; scans: string[] };

function timeOf(plan: Plan): number {
  return plan["Actual Total Time"] ?? 0;
}

function report(measured: readonly Measured[], shown: number): void {
  const slowest = measured.toSorted((a, b) => timeOf(b.plan) - timeOf(a.plan));
  const timesMs = slowest.map(({ plan }) => timeOf(plan));
  const isBelow = (limitMs: number) => timesMs.filter((ms) => ms < limitMs).length;
  console.log(`${entries} entries, ${measured.length} statements, median of ${rounds} (${cpus()[0]?.model.trim()}):`);
  console.log(`${isBelow(1)} below 1 ms, ${isBelow(10)} below 10 ms, the slowest ${timesMs[0]?.toFixed(1)} ms\n`);
  for (const { statement, plan } of slowest.slice(0, shown)) {
    console.log(`${timeOf(plan).toFixed(2)} ms  ${textOf(statement)}`);
    for (const node of nodesOf(plan).filter(({ "Relation Name": table }) => table !== undefined))
      console.log(
        `      ${node["Node Type"]} ${node["Relation Name"]} ${node["Index Name"] ?? ""} ${(node["Actual Total Time"] ?? 0).toFixed(2)} ms, ${node["Actual Rows"]} rows`,
      );
  }
  const scanning = measured.filter(({ scans }) => scans.length > 0);
  console.log(`\n${scanning.length} statements read a growing table row by row`);
  for (const { statement, scans } of scanning) console.log(`  ${scans.join(", ")}: ${textOf(statement)}`);
}

function textOf({ text }: Statement): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 180);
}
