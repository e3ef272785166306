// CPU time of the engine compared with raw sharp, alternating in one process with the settings of the service's
// engines, so it is valid on a busy machine too. npm run bench:engine [folder of the data packs] [rounds]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, env, execArgv, execPath, exit } from "node:process";
import { createImaging } from "../packages/imaging/src/imaging.ts";
import { allocatorEnvironment, engineFlags } from "../packages/server/src/platform/engine.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { runOperation } from "./run-operation.ts";
import { type Case, cases, writeInputs } from "./service/cases.ts";
import { timed } from "./timed.ts";

if (!engineFlags.every((flag) => execArgv.includes(flag))) {
  const settings = { env: { ...env, ...allocatorEnvironment }, stdio: "inherit" } as const;
  exit(spawnSync(execPath, [...engineFlags, ...argv.slice(1)], settings).status ?? 1);
}

const packs = await dataPacks(argv[2]);
const rounds = Number(argv[3] ?? 7);
const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
await writeInputs(join(packs, "photos"), folder);
const imaging = createImaging();

async function runOurs({ task: name, file, fields }: Case): Promise<number> {
  const { quality, width } = fields;
  const options = quality ? { quality: Number(quality) } : { width: Number(width), method: "fit" };
  const paths = { inputPath: join(folder, file), outputPath: join(folder, "result") };
  const outcome = await runOperation(imaging, { name, options, ...paths });
  return outcome.kind === "done" ? outcome.result.sizeBytes : 0;
}
const runRaw = async ({ raw, file }: Case) => (await raw(join(folder, file)).toBuffer()).length;

/** CPU milliseconds of all threads per run, and the bytes of the result. */
type Run = { ms: number; bytes: number };

async function timeRuns(work: () => Promise<number>, times: number): Promise<Run> {
  let bytes = 0;
  const { cpu } = await timed(async () => {
    for (let i = 0; i < times; i++) bytes = await work();
  });
  return { ms: (cpu * 1000) / times, bytes };
}

const rows = [];
for (const one of cases) {
  const times = one.file === "1mp.jpg" ? 8 : 1;
  const raw: Run[] = [];
  const ours: Run[] = [];
  for (let round = -2; round < rounds; round++) {
    const [theirs, own] = [await timeRuns(() => runRaw(one), times), await timeRuns(() => runOurs(one), times)];
    if (round < 0) continue; // warm-up: the JIT has not finished
    raw.push(theirs);
    ours.push(own);
  }
  rows.push({
    case: one.name,
    "raw sharp, ms": median(raw.map(({ ms }) => ms)).toFixed(1),
    "engine, ms": median(ours.map(({ ms }) => ms)).toFixed(1),
    "engine / raw, operations": median(raw.map(({ ms }, i) => ms / (ours[i]?.ms ?? 1))).toFixed(2),
    "raw sharp, bytes": raw[0]?.bytes ?? 0,
    "engine, bytes": ours[0]?.bytes ?? 0,
  });
}
console.table(rows);
rmSync(folder, { recursive: true });
