import type { Config } from "../config.ts";
import { createJobs, type Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/lease.ts";
import type { Settling } from "../features/jobs/settle.ts";

type JobsDependencies = { config: Config; settling: Settling; lease: Lease; exclusive: boolean };

/** Opens the jobs of everybody to this process, and first deals with what dead processes left. */
export async function openJobs({ config, settling, lease, exclusive }: JobsDependencies): Promise<Jobs> {
  const jobs = createJobs({
    ...settling,
    ...{ lease, exclusive },
    bounds: {
      queueFiles: config.TINTYPE_QUEUE_FILES,
      callerFiles: config.TINTYPE_CALLER_FILES,
      networkFiles: config.TINTYPE_NETWORK_FILES,
      networkUploads: config.TINTYPE_NETWORK_UPLOADS,
      spoolBytes: config.TINTYPE_SPOOL_MB * 1e6,
    },
  });
  await jobs.sweep();
  return jobs;
}
