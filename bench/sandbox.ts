// The cost of the engines' sandbox: the same pictures through one engine with and without it, alternating. npm run bench:sandbox [rounds]
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import sharp from "sharp";
import { openSandbox } from "../packages/server/src/composition/engine-sandbox.ts";
import { readConfig } from "../packages/server/src/config.ts";
import { EnginePool } from "../packages/server/src/platform/engine-pool.ts";
import { noSandbox, type Sandbox } from "../packages/server/src/platform/sandbox.ts";
import { median } from "./averages.ts";

const rounds = Number(argv[2] ?? 15);
const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
const scratch = join(folder, "scratch");
mkdirSync(scratch);
const log = { info() {}, warn() {}, debug() {} };
const config = readConfig({ TINTYPE_DATA: folder });
const sandbox = await openSandbox(config, { models: {}, scratch, log: log as never }); // only these methods of the logger are called

/** Noise over a gradient, one megapixel: it compresses like a photograph. */
const photo = join(folder, "photo.jpg");
const noise = { type: "gaussian" as const, mean: 128, sigma: 30 };
await sharp({ create: { width: 1200, height: 800, channels: 3, background: "#888", noise } })
  .blur(1.5)
  .jpeg({ quality: 92 })
  .toFile(photo);
const cases = [
  { name: "compress, 1 MP", task: "compress" as const, options: { quality: 75 } },
  { name: "resize to 400", task: "resize" as const, options: { width: 400, method: "fit" } },
  { name: "preview of 64 px", task: "preview" as const, options: { side: 64 } },
];

let made = 0;
const open = (chosen: Sandbox) => new EnginePool({ size: 1, scratch, memoryLimitMb: 4000, sandbox: chosen, log });

/** CPU time of the engine so far, ms: the kernel counts in hundredths of a second (proc_pid_stat(5), 14 and 15). */
function processorMs(pool: EnginePool): number {
  const stat = readFileSync(`/proc/${pool.processIds[0]}/stat`, "utf8");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) * 10;
}

/** Per picture, ms: wall time, and CPU time, which other programs disturb less. */
async function timeMs(pool: EnginePool, { task: name, options }: (typeof cases)[number], times: number) {
  const [begin, worked] = [performance.now(), processorMs(pool)];
  for (let i = 0; i < times; i++) {
    const inputPath = join(folder, `in-${made++}`);
    copyFileSync(photo, inputPath);
    const limits = { megapixelsIn: 100, megapixelsOut: 100 };
    await pool.run({
      task: { name, options, inputPath, outputPath: `${inputPath}.out`, limits },
      timeLimitMs: 60_000,
      signal: new AbortController().signal,
      progress() {},
    });
    rmSync(inputPath);
    rmSync(`${inputPath}.out`);
  }
  return { clock: (performance.now() - begin) / times, processor: (processorMs(pool) - worked) / times };
}

type Times = Awaited<ReturnType<typeof timeMs>>;
const pools = { without: open(noSandbox), within: open(sandbox) };
const rows = [];
for (const one of cases) {
  for (const pool of Object.values(pools)) await timeMs(pool, one, 3);
  const measured = { without: [] as Times[], within: [] as Times[] };
  for (let round = 0; round < rounds; round++)
    // The order changes each round: a machine that slows down slows both.
    for (const which of round % 2 ? (["within", "without"] as const) : (["without", "within"] as const))
      measured[which].push(await timeMs(pools[which], one, 20));
  const of = (which: keyof typeof measured, kind: keyof Times) => median(measured[which].map((times) => times[kind]));
  const cost = (kind: keyof Times) => ((of("within", kind) / of("without", kind) - 1) * 100).toFixed(1);
  rows.push({
    case: one.name,
    "processor, ms": of("without", "processor").toFixed(1),
    "cost of processor, %": cost("processor"),
    "clock, ms": of("without", "clock").toFixed(1),
    "cost of clock, %": cost("clock"),
  });
}
console.log(`sandbox: ${sandbox.level}, user ${sandbox.uid ?? "the server's"}; ${rounds} rounds of 20, medians`);
console.table(rows);
await Promise.all(Object.values(pools).map((pool) => pool.close()));
rmSync(folder, { recursive: true, force: true });
