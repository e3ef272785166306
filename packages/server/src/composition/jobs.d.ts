import type { Config } from "../config.ts";
import { type Jobs } from "../features/jobs/jobs.ts";
import type { Lease } from "../features/jobs/lease.ts";
import type { Settling } from "../features/jobs/settle.ts";
type JobsDependencies = {
    config: Config;
    settling: Settling;
    lease: Lease;
    exclusive: boolean;
};
/** Opens the jobs of everybody to this process, and first deals with what dead processes left. */
export declare function openJobs({ config, settling, lease, exclusive }: JobsDependencies): Promise<Jobs>;
export {};
