import { limits, resultName } from "@tintype/contract";
import type { Config } from "../config.ts";
import type { Lease } from "../features/jobs/queue/lease.ts";
import { requestedSteps } from "../features/jobs/record/job.ts";
import type { SettleDependencies } from "../features/jobs/settle/settle.ts";
import { startWorker, type Worker } from "../features/jobs/work/worker.ts";
import type { Disk } from "../platform/disk.ts";
import { repeat } from "../platform/repeat.ts";
import type { WorkClass } from "../platform/work/work.ts";
import type { Engines } from "./engines.ts";
import { freeWorkLimits } from "./jobs.ts";

type WorkerDependencies = {
  config: Pick<Config, "TINTYPE_SPOOL_MB" | "TINTYPE_CALLER_FREE_SECONDS" | "TINTYPE_NETWORK_FREE_SECONDS">;
  settleDependencies: SettleDependencies;
  lease: Lease;
  classes: readonly WorkClass[];
  engines: Engines;
  disk: Disk;
};

const beatIntervalMs = 1_500;

/** Consumes files of some classes with this machine's engines, including those of other processes' jobs. */
export async function openWorker({
  config,
  settleDependencies,
  lease,
  classes,
  engines,
  disk,
}: WorkerDependencies): Promise<Worker> {
  const worker = await startWorker({
    ...settleDependencies,
    lease,
    classes,
    disk,
    pools: engines.pools,
    limitsOf: (tier) => limits[tier],
    spoolBytes: config.TINTYPE_SPOOL_MB * 1e6,
    freeWork: freeWorkLimits(config),
    nameResult: ({ steps }, file, { format }) =>
      resultName(
        requestedSteps(steps).map(({ operation }) => operation),
        { name: file.name, sourceFormat: file.format, resultFormat: format },
      ),
  });
  const beats = repeat(worker.beat, {
    intervalMs: beatIntervalMs,
    onProblem: (problem) => settleDependencies.log.warn({ err: problem }, "cannot check the files in work"),
  });
  return {
    beat: worker.beat,
    async close(options) {
      await beats.stop();
      await worker.close(options);
    },
  };
}
