import { randomUUID } from "node:crypto";
import {
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  type LifecycleRule,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { FastifyBaseLogger } from "fastify";

export type S3Place = {
  bucket: string;
  /** A service other than Amazon's, such as `http://127.0.0.1:9000`. Its buckets use path-style addressing. */
  endpoint: string | undefined;
  region: string;
  /** Without them the SDK uses its default provider chain, such as the machine's role. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
};

/** The prefix of all objects, which limits the lifecycle rule for leftovers to them. */
export const jobsPrefix = "jobs/";

export function createS3Client({ endpoint, region, credentials }: S3Place): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    ...(credentials ? { credentials } : {}),
    // The default sends a trailing checksum, which many stores refuse (411, Ceph's gateway).
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 3_000,
      // Covers sending too: a 5 MB part over a slow connection.
      requestTimeout: 60_000,
      throwOnRequestTimeout: true,
      // For the time after the headers, which `requestTimeout` does not cover.
      socketTimeout: 30_000,
    },
  });
}

type Log = Pick<FastifyBaseLogger, "info" | "warn">;

/**
 * Checks that the bucket can be used, and adds a lifecycle rule that removes leftovers after a day, if it has none.
 * @throws Error if the bucket keeps old versions: a deleted picture would remain
 */
export async function checkBucket(client: S3Client, bucket: string, log: Log): Promise<void> {
  const versioning = await client.send(new GetBucketVersioningCommand({ Bucket: bucket })).catch((problem: unknown) => {
    if (codeOf(problem) === undefined || codeOf(problem) === "NoSuchBucket") throw notUsable(bucket, problem);
    log.warn({ err: problem, bucket }, "cannot read the bucket's versioning; it must be off");
    return undefined;
  });
  if (versioning?.Status)
    throw new Error(
      `S3_BUCKET: ${bucket} has versioning (${versioning.Status}) and would keep deleted images. Use a bucket without versioning.`,
    );
  await ensureExpiry(client, bucket, log);
}

/** Stores, reads and deletes an object. @throws Error naming the setting to correct */
export async function probeBucket(client: S3Client, bucket: string): Promise<void> {
  const probe = { Bucket: bucket, Key: `${jobsPrefix}probe-${randomUUID()}` };
  try {
    await client.send(new PutObjectCommand({ ...probe, Body: "probe" }));
    const { Body } = await client.send(new GetObjectCommand(probe));
    await Body?.transformToString();
    await client.send(new DeleteObjectCommand(probe));
  } catch (problem) {
    throw notUsable(bucket, problem);
  }
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
    log.info({ bucket }, "added a lifecycle rule to the bucket that expires images after a day");
  } catch (problem) {
    log.warn({ err: problem, bucket }, `the bucket has no rule that expires ${jobsPrefix} after a day; add one`);
  }
}

/** What the store's refusals mean to an operator. */
const refusals: Record<string, string> = {
  InvalidAccessKeyId: "AWS_ACCESS_KEY_ID is not known there",
  SignatureDoesNotMatch: "AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID",
  AccessDenied:
    "the key may not store, read and delete objects. Grant it s3:PutObject, s3:GetObject and s3:DeleteObject",
  NoSuchBucket: "it does not exist. Create it, or correct S3_BUCKET and S3_ENDPOINT",
  PermanentRedirect: "it is in another region. Correct S3_REGION or S3_ENDPOINT",
};

/** An error that names the setting to correct. */
export function notUsable(bucket: string, cause: unknown): Error {
  const code = codeOf(cause);
  const status = cause instanceof S3ServiceException ? cause.$metadata.httpStatusCode : undefined;
  // A response without a body, as to HEAD, has only its status.
  const meaning = refusals[code ?? ""] ?? (status === 403 ? refusals["AccessDenied"] : undefined);
  const message = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new Error(`S3_BUCKET: ${bucket} cannot be used: ${meaning ? `${meaning} (${code}).` : message}`, { cause });
}

/** The store's error code, such as `NoSuchKey`; none if it did not respond. */
export const codeOf = (problem: unknown): string | undefined =>
  problem instanceof S3ServiceException ? problem.name : undefined;
