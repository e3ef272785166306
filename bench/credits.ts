// The cost of credits: operations per second through the ledger, and the time it adds to compressing a 1 MP
// photograph. npm run bench:credits [folder of the data packs] [seconds a round] [pictures an arm]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import type { Holder } from "../packages/server/src/features/credits/allowance.ts";
import { createLedger, type Ledger } from "../packages/server/src/features/credits/ledger.ts";
import { systemClock } from "../packages/server/src/platform/clock.ts";
import type { Database } from "../packages/server/src/platform/db/database.ts";
import { openPglite } from "../packages/server/src/platform/db/pglite.ts";
import { openPostgres } from "../packages/server/src/platform/db/postgres.ts";
import { newId } from "../packages/server/src/platform/id.ts";
import { startTestApp } from "../packages/server/src/testing/harness.ts";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { dataPacks } from "./packs.ts";
import { writeInputs } from "./service/cases.ts";

const packs = await dataPacks(argv[2]);
const seconds = Number(argv[3] ?? 5);
const pictures = Number(argv[4] ?? 100);
const callers = 16;
/** Everybody here has the thousand credits of a Pro day. */
const newHolder = (): Holder => ({ key: `person:${newId("bench")}`, tier: "pro" });
const creditsEach = 1000;

const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
const postgres = await startPostgres();
const databases = {
  PGlite: () => openPglite({ folder: join(folder, "pglite") }),
  PostgreSQL: () => openPostgres(postgres.url),
};

const charge = (db: Database, ledger: Ledger, holder: Holder, jobId: string) =>
  db.transaction((tx) =>
    ledger.charge(tx, holder, { jobId, operation: "compress", files: [{ index: 0, name: "photo.jpg" }] }),
  );
/** A metered operation: a credit is taken, and one in ten is refunded. */
async function operate(db: Database, ledger: Ledger, holder: Holder, n: number): Promise<void> {
  const jobId = newId("job");
  await charge(db, ledger, holder, jobId);
  if (n % 10 === 0) await ledger.refund(db, { jobId, files: [{ index: 0, reason: "broken" }] });
}

/** Operations per second with concurrent callers, each with its own holder or all sharing one. */
async function rate(db: Database, ledger: Ledger, isShared: boolean): Promise<number> {
  const one = { holder: newHolder(), left: creditsEach };
  let done = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      const own = { holder: newHolder(), left: creditsEach };
      const mine = isShared ? one : own;
      while (performance.now() < end) {
        if (mine.left-- <= 0) Object.assign(mine, { holder: newHolder(), left: creditsEach - 1 });
        await operate(db, ledger, mine.holder, done++);
      }
    }),
  );
  return done / ((performance.now() - begin) / 1000);
}

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The 90 % confidence interval of the difference of the percentiles, by bootstrap over pairs. */
function rangeAdded(charged: number[], free: number[]): [number, number] {
  const differences = Array.from({ length: 2000 }, () => {
    const drawn = charged.map(() => Math.floor(Math.random() * charged.length));
    const at = (values: number[]) =>
      percentile(
        drawn.map((i) => values[i] ?? 0),
        0.95,
      );
    return at(charged) - at(free);
  });
  return [percentile(differences, 0.05), percentile(differences, 0.95)];
}

/** Milliseconds of whole requests with and without the ledger, alternating, and of the ledger's own calls within them. */
async function compressTimes(environment: Record<string, string>) {
  const app = await startTestApp({ clock: systemClock, environment, dataFolder: mkdtempSync(join(folder, "data-")) });
  const person = await app.person("pro");
  const bytes = readFileSync(join(folder, "1mp.jpg"));
  const real = { ...app.ledger };
  const free: Ledger["charge"] = async (_tx, { tier }) => ({
    usage: { ...(await unused), limit: creditsEach, used: 0 },
    isFast: tier === "pro",
  });
  const unused = real.usage({ key: "nobody", tier: "pro" });
  const times = { charged: [] as number[], free: [] as number[], ledger: [] as number[] };
  const send = async () => {
    const begin = performance.now();
    const answer = await person.run("compress", [{ name: "photo.jpg", bytes }], { quality: "75" });
    await answer.bytes();
    if (answer.status !== 200) throw new Error(`compress answered ${answer.status}`);
    return performance.now() - begin;
  };
  for (let i = 0; i < 5; i++) await send();
  for (let i = 0; i < pictures; i++) {
    let inLedgerMs = 0;
    app.ledger.charge = async (...call) => {
      const begin = performance.now();
      try {
        return await real.charge(...call);
      } finally {
        inLedgerMs += performance.now() - begin;
      }
    };
    times.charged.push(await send());
    times.ledger.push(inLedgerMs);
    app.ledger.charge = free;
    times.free.push(await send());
  }
  await app.close();
  return times;
}

await writeInputs(join(packs, "photos"), folder);
console.log(`${cpus().length} cores, node ${process.version}; ${callers} at once, ${seconds} s a round`);
const rates = [];
for (const [name, open] of Object.entries(databases)) {
  const { db, close } = await open();
  const ledger = createLedger({ db, clock: systemClock });
  await operate(db, ledger, newHolder(), 1);
  rates.push({
    database: name,
    "a holder each, /s": Math.round(await rate(db, ledger, false)),
    "all one holder, /s": Math.round(await rate(db, ledger, true)),
  });
  await close();
}
console.table(rates);

const rows = [];
for (const [name, environment] of [
  ["PGlite", {}],
  ["PostgreSQL", { DATABASE_URL: postgres.url }],
] as const) {
  const { charged, free, ledger } = await compressTimes(environment);
  const ms = (value: number) => value.toFixed(1);
  rows.push({
    "1 MP compress on": name,
    "with, median ms": ms(percentile(charged, 0.5)),
    without: ms(percentile(free, 0.5)),
    "with, p95 ms": ms(percentile(charged, 0.95)),
    "p95 without": ms(percentile(free, 0.95)),
    "p95 added": ms(percentile(charged, 0.95) - percentile(free, 0.95)),
    "of 9 in 10 runs": rangeAdded(charged, free).map(ms).join(" to "),
    "in the ledger, p95 ms": ms(percentile(ledger, 0.95)),
  });
}
console.table(rows);
await postgres.close();
rmSync(folder, { recursive: true, force: true });
