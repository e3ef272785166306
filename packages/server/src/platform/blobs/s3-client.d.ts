import { S3Client } from "@aws-sdk/client-s3";
import type { FastifyBaseLogger } from "fastify";
export type S3Place = {
    bucket: string;
    /** Another service than Amazon's, for example `http://127.0.0.1:9000`. Its buckets are addressed by path. */
    endpoint: string | undefined;
    region: string;
    /** Without them the SDK looks where Amazon's services put them: the machine's role, for one. */
    credentials: {
        accessKeyId: string;
        secretAccessKey: string;
    } | undefined;
};
/** Everything lies below it: the rule that removes what was forgotten leaves the rest of a bucket alone. */
export declare const jobsPrefix = "jobs/";
export declare function createS3Client({ endpoint, region, credentials }: S3Place): S3Client;
type Log = Pick<FastifyBaseLogger, "info" | "warn">;
/**
 * Looks whether the bucket can be used, and gives it a rule that removes what was forgotten after a day, if it has none.
 * @throws Error where the bucket keeps old versions: a picture that was deleted would stay
 */
export declare function checkBucket(client: S3Client, bucket: string, log: Log): Promise<void>;
/** The store's own code, `NoSuchKey` for one; none where it did not answer. */
export declare const codeOf: (problem: unknown) => string | undefined;
export {};
