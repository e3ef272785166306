import {
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { FastifyBaseLogger } from "fastify";

export type S3Place = {
  bucket: string;
  /** Another service than Amazon's, for example `http://127.0.0.1:9000`. Its buckets are addressed by path. */
  endpoint: string | undefined;
  region: string;
  /** Without them the SDK looks where Amazon's services put them: the machine's role, for one. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};

/** Everything lies below it: the rule that removes what was forgotten leaves the rest of a bucket alone. */
export const jobsPrefix = "jobs/";

export function createS3Client({ endpoint, region, credentials }: S3Place): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials ? { credentials } : {}),
    // The default streams a checksum behind the body, which many stores refuse (411, Ceph's gateway).
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 3_000,
      // It covers sending as well: a part of 5 MB over a slow line.
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // For the time after the headers, which `requestTimeout` does not cover.
      socketTimeout: 30_000,
    },
  });
}

type Log = Pick<FastifyBaseLogger, "info" | "warn">;

/**
 * Looks whether the bucket can be used, and gives it a rule that removes what was forgotten after a day, if it has none.
 * @throws Error where the bucket keeps old versions: a picture that was deleted would stay
 */
export async function checkBucket(client: S3Client, bucket: string, log: Log): Promise<void> {
  const versioning = await client.send(new GetBucketVersioningCommand({ Bucket: bucket })).catch((problem: unknown) => {
    if (codeOf(problem) === undefined || codeOf(problem) === "NoSuchBucket") throw notUsable(bucket, problem);
    log.warn({ err: problem, bucket }, "the bucket does not tell whether it keeps old versions; it must not");
    return undefined;
  });
  if (versioning?.Status)
    throw new Error(
      `S3_BUCKET: ${bucket} has versioning (${versioning.Status}), and would keep pictures that were deleted. Use a bucket that never had it.`,
    );
  await ensureExpiry(client, bucket, log);
}

async function ensureExpiry(client: S3Client, bucket: string, log: Log): Promise<void> {
  const Bucket = bucket;
  try {
    const { Rules = [] } = await client
      .send(new GetBucketLifecycleConfigurationCommand({ Bucket }))
      .catch((problem: unknown): { Rules?: LifecycleRule[] } => {
        if (codeOf(problem) === "NoSuchLifecycleConfiguration") return {};
        throw problem;
      });
    if (Rules.some((rule) => rule.Status === "Enabled" && rule.Expiration?.Days === 1)) return;
    const rule = {
      ID: "tintype-forgotten-pictures",
      Status: "Enabled" as const,
      Filter: { Prefix: jobsPrefix },
      Expiration: { Days: 1 },
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    };
    await client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [...Rules, rule] } }),
    );
    log.info({ bucket }, "the bucket removes pictures after a day now");
  } catch (problem) {
    log.warn({ err: problem, bucket }, `the bucket has no rule that expires ${jobsPrefix} after a day; please add one`);
  }
}

const notUsable = (bucket: string, cause: unknown) =>
  new Error(`S3_BUCKET: ${bucket} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });

/** The store's own code, `NoSuchKey` for one; none where it did not answer. */
export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof S3ServiceException ? problem.name : undefined;
