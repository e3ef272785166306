import type { Mount } from "../../http/endpoint.ts";
import type { Jobs } from "./jobs.ts";
import type { Receipts } from "./receipt.ts";
export declare function mountJobs(mount: Mount, { jobs, receipts }: {
    jobs: Jobs;
    receipts: Receipts;
}): void;
