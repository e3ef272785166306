import type { Config } from "../config.ts";
import { createJobs, type Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/queue/lease.ts";
import type { SettleDependencies } from "../features/jobs/settle/settle.ts";

type JobsDependencies = { config: Config; settleDependencies: SettleDependencies; lease: Lease };

/** Opens the jobs for this process, and sweeps once, since dead processes may have left work. */
export async function openJobs({ config, settleDependencies, lease }: JobsDependencies): Promise<Jobs> {
  const jobs = createJobs({
    ...settleDependencies,
    lease,
    bounds: {
      queueFiles: config.TINTYPE_QUEUE_FILES,
      callerFiles: config.TINTYPE_CALLER_FILES,
      networkFiles: config.TINTYPE_NETWORK_FILES,
      networkUploads: config.TINTYPE_NETWORK_UPLOADS,
      spoolBytes: config.TINTYPE_SPOOL_MB * 1e6,
      freeWork: freeWorkLimits(config),
    },
  });
  await jobs.sweep();
  return jobs;
}

/** Per hour. */
export const freeWorkLimits = (
  config: Pick<Config, "TINTYPE_CALLER_FREE_SECONDS" | "TINTYPE_NETWORK_FREE_SECONDS">,
) => ({
  callerMs: config.TINTYPE_CALLER_FREE_SECONDS * 1000,
  networkMs: config.TINTYPE_NETWORK_FREE_SECONDS * 1000,
});
