import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type MultipartUpload,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { DomainError } from "@tintype/contract";
import type { FastifyBaseLogger } from "fastify";
import { isDiskFull } from "../disk.ts";
import { newId } from "../id.ts";
import { type BlobPlace, type Blobs, type ByteRange, storeIdName } from "./blobs.ts";
import { createInspection } from "./inspect.ts";
import { checkBucket, codeOf, createS3Client, jobsPrefix, notUsable, probeBucket, type S3Place } from "./s3-client.ts";

/** S3's minimum part size. A shorter blob is sent in one request, from memory, and is retried. */
const partBytes = 5 * 2 ** 20;
const readBytes = 64 * 1024;
/** For requests that upload no picture. The client's default timeout allows for a large part over a slow connection. */
const brief = { requestTimeout: 10_000 };
/** A result may have taken a minute to compute: keep retrying while the store is unavailable for some seconds. */
const retryPeriodMs = 10_000;
const retryDelayMs = 500;

/**
 * Pictures in an S3 bucket, below `jobs/<id>/`. Engines work on copies in `scratch`, a dedicated folder, which is emptied here.
 * @throws Error if the bucket cannot be used or keeps old versions
 */
export async function openS3Blobs({
  scratch,
  log,
  ...place
}: S3Place & { scratch: string; log: Pick<FastifyBaseLogger, "info" | "warn"> }): Promise<Blobs> {
  const client = createS3Client(place);
  const { bucket: Bucket } = place;
  await checkBucket(client, Bucket, log);
  await probeBucket(client, Bucket);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const upload = (Key: string, Body: Readable | Buffer) =>
    new Upload({ client, params: { Bucket, Key, Body }, partSize: partBytes, queueSize: 2 }).done();
  return {
    async write(at, stream, options) {
      const inspection = createInspection(options);
      try {
        await upload(keyOf(at), Readable.from(inspection.pass(stream), { objectMode: false }));
      } catch (problem) {
        stream.destroy();
        inspection.throwFailure();
        throw errorOf(problem);
      }
      return inspection.stored();
    },
    async checkout(at) {
      const path = join(scratch, newId("copy"));
      const release = () => rm(path, { force: true });
      try {
        await retryWhileUnavailable(async () =>
          pipeline(await openBody(client, { Bucket, Key: keyOf(at) }), createWriteStream(path, { mode: 0o600 })),
        );
      } catch (problem) {
        await release();
        throw errorOf(problem);
      }
      return { path, release };
    },
    async draft(at) {
      const path = join(scratch, newId("draft"));
      return {
        path,
        async commit() {
          await retryWhileUnavailable(async () => {
            const { size } = await stat(path);
            await upload(keyOf(at), size <= partBytes ? await readFile(path) : createReadStream(path));
          }).catch(fail);
          await rm(path, { force: true });
        },
        discard: () => rm(path, { force: true }),
      };
    },
    read: (at, range) => openBody(client, { Bucket, Key: keyOf(at) }, range).catch(fail),
    async remove(jobId, name) {
      const removal =
        name === undefined
          ? removePrefix(client, { Bucket, Prefix: `${jobsPrefix}${jobId}/` })
          : client.send(new DeleteObjectCommand({ Bucket, Key: keyOf({ jobId, name }) }), brief);
      await removal.catch(fail);
    },
    async identify() {
      await probeBucket(client, Bucket);
      const Key = storeIdName;
      const readId = async () =>
        (await client.send(new GetObjectCommand({ Bucket, Key }), brief)).Body?.transformToString();
      try {
        const id = await readId().catch((problem: unknown) => {
          if (codeOf(problem) !== "NoSuchKey") throw problem;
        });
        if (id) return id;
        const object = { Bucket, Key, Body: newId("store") };
        // Of processes that start at once one writes, where the store has conditional writes.
        await client.send(new PutObjectCommand({ ...object, IfNoneMatch: "*" }), brief).catch((problem: unknown) => {
          if (isWritten.has(codeOf(problem) ?? "")) return;
          if (codeOf(problem) !== "NotImplemented") throw problem;
          return client.send(new PutObjectCommand(object), brief);
        });
        return (await readId()) ?? "";
      } catch (cause) {
        throw notUsable(Bucket, cause);
      }
    },
    async close() {
      client.destroy();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Another process wrote the object before, or at the same moment. */
const isWritten = new Set(["PreconditionFailed", "ConditionalRequestConflict"]);

const keyOf = ({ jobId, name }: BlobPlace) => `${jobsPrefix}${jobId}/${name}`;

const fail = (problem: unknown): never => {
  throw errorOf(problem);
};

function errorOf(cause: unknown): DomainError {
  if (cause instanceof DomainError) return cause;
  const isGone = codeOf(cause) === "NoSuchKey" || (cause as NodeJS.ErrnoException).code === "ENOENT"; // the draft's own file
  return isGone ? new DomainError("gone", { cause }) : new DomainError("unavailable", { retryAfterSeconds: 5, cause });
}

/** Retries the whole operation while the store is unavailable. */
async function retryWhileUnavailable<Result>(action: () => Promise<Result>): Promise<Result> {
  for (const end = performance.now() + retryPeriodMs; ; ) {
    try {
      return await action();
    } catch (problem) {
      if (isDiskFull(problem) || errorOf(problem).code !== "unavailable" || performance.now() > end) throw problem;
      await new Promise((done) => setTimeout(done, retryDelayMs));
    }
  }
}

/** A blob's bytes. If the connection breaks midway, it resumes with the rest: the SDK retries only before the first byte. */
async function openBody(client: S3Client, blob: { Bucket: string; Key: string }, range?: ByteRange): Promise<Readable> {
  const rangeFrom = (at: number) => `bytes=${at}-${range?.last ?? ""}`;
  const start = range?.first ?? 0;
  const first = await client.send(
    new GetObjectCommand({ ...blob, ...(range ? { Range: rangeFrom(start) } : {}) }),
    brief,
  );
  const length = first.ContentLength ?? 0;
  const rest = (sentBytes: number) =>
    // A worker that lost its lease may have stored the same result again: IfMatch avoids mixing the two.
    new GetObjectCommand({
      ...blob,
      Range: rangeFrom(start + sentBytes),
      ...(first.ETag ? { IfMatch: first.ETag } : {}),
    });
  async function* bytes() {
    let sentBytes = 0;
    let body = first.Body as Readable; // what the SDK gives on Node
    for (let end = performance.now() + retryPeriodMs; ; ) {
      try {
        for await (const chunk of body) {
          sentBytes += (chunk as Buffer).length; // its streams have no encoding set
          yield chunk as Buffer;
          end = performance.now() + retryPeriodMs;
        }
        if (sentBytes === length) return;
        throw new Error(`the store sent ${sentBytes} of ${length} bytes`);
      } catch (problem) {
        if (errorOf(problem).code !== "unavailable" || performance.now() > end) throw problem;
        body = await retryWhileUnavailable(async () => (await client.send(rest(sentBytes), brief)).Body as Readable); // as above
      }
    }
  }
  return Readable.from(bytes(), { objectMode: false, highWaterMark: readBytes });
}

/** Removes all objects below a prefix, and the parts of incomplete uploads, which are not listed as objects. */
async function removePrefix(client: S3Client, { Bucket, Prefix }: { Bucket: string; Prefix: string }): Promise<void> {
  await abortUploads(client, { Bucket, Prefix });
  for (;;) {
    const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }), brief);
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : [{ Key }]));
    if (Objects.length > 0) {
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
        brief,
      );
      if (Errors[0]) throw new Error(`${Errors.length} objects were not deleted: ${Errors[0].Code}`);
    }
    if (!IsTruncated) return;
  }
}

async function abortUploads(client: S3Client, { Bucket, Prefix }: { Bucket: string; Prefix: string }): Promise<void> {
  for (;;) {
    const { Uploads = [], IsTruncated } = await client
      .send(new ListMultipartUploadsCommand({ Bucket, Prefix }), brief)
      .catch((problem: unknown): { Uploads?: MultipartUpload[]; IsTruncated?: boolean } => {
        // The store cannot list them. The bucket's lifecycle rule removes them after a day.
        if (codeOf(problem) === "NotImplemented") return {};
        throw problem;
      });
    await Promise.all(
      Uploads.map(({ Key, UploadId }) =>
        client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), brief),
      ),
    );
    if (!IsTruncated) return;
  }
}
