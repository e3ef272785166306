import type { FastifyBaseLogger } from "fastify";
import type { Blobs } from "./blobs.ts";
import { type S3Place } from "./s3-client.ts";
/**
 * Pictures in a bucket of S3, below `jobs/<id>/`. Engines work on copies in `scratch`, a folder that nothing else uses; it is
 * emptied here.
 * @throws Error where the bucket cannot be used or keeps old versions
 */
export declare function openS3Blobs({ scratch, log, ...place }: S3Place & {
    scratch: string;
    log: Pick<FastifyBaseLogger, "info" | "warn">;
}): Promise<Blobs>;
