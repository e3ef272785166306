// One measurement in its own process, with its own memory: a file through the whole operation, twice. The second run
// counts; the first one loads the model. Prints one line of JSON.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, cpuUsage, resourceUsage } from "node:process";
import { taskOptions } from "../../packages/contract/src/schemas/index.ts";
import { createImaging } from "../../packages/imaging/src/imaging.ts";
import { runOperation } from "../run-operation.ts";
import { timed } from "../timed.ts";

/** Seconds of the second run and of its parts; peak megabytes over both runs. */
export type Speed = { wall: number; cpu: number; first: number; peakMb: number; stages: Record<string, number> };

const [inputPath = "", directory = "", profile = "auto_rembg"] = argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "bench-cutout-"));
const imaging = createImaging({ models: { directory, threads: 2 } });
const options = taskOptions["remove-background"].parse({ profile });

async function run(stages: Record<string, number>): Promise<{ wall: number; cpu: number }> {
  let [stage, since] = ["Opening", cpuUsage()];
  const enter = (next: string) => {
    stages[stage] = seconds(cpuUsage(since));
    [stage, since] = [next, cpuUsage()];
  };
  const task = { name: "remove-background", options, inputPath, outputPath: join(folder, "out") } as const;
  const { wall, cpu } = await timed(() =>
    runOperation(imaging, task, (report) => {
      if (report.stage && report.stage !== stage) enter(report.stage);
    }),
  );
  enter("done");
  return { wall, cpu };
}

const seconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1e6;

const stages = {};
const { wall: first } = await run({});
const { wall, cpu } = await run(stages);
await rm(folder, { recursive: true });
console.log(JSON.stringify({ wall, cpu, first, peakMb: resourceUsage().maxRSS / 1024, stages } satisfies Speed));
process.exit(0); // the session would keep the process alive until it is idle
