import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  GetBucketLifecycleConfigurationCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Outage, proxyTo } from "../../testing/outage.ts";
import { startRedis, type TestRedis } from "../../testing/redis.ts";
import { startS3, type TestS3 } from "../../testing/s3.ts";
import { newId } from "../id.ts";
import { createLog } from "../log.ts";
import { connectRedis } from "../redis.ts";
import { type Blobs, type StoreOptions, storeIdName } from "./blobs.ts";
import { openFolderBlobs } from "./folder.ts";
import { openS3Blobs } from "./s3.ts";
import { createS3Client } from "./s3-client.ts";
import { keepSmallInRedis } from "./small-in-redis.ts";

const log = createLog("silent");
const megabyte = 2 ** 20;
const plain: StoreOptions = { limitBytes: 100 * megabyte, hash: false, headBytes: 0 };
/** In chunks, as a network delivers them. */
const inPieces = (bytes: Uint8Array, pieceBytes = 60_000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += pieceBytes) yield Buffer.from(bytes.subarray(at, at + pieceBytes));
    })(),
    { objectMode: false },
  );

let s3: TestS3;
let redis: TestRedis;
let folder: string;
beforeAll(async () => {
  [s3, redis] = await Promise.all([startS3(), startRedis()]);
  folder = mkdtempSync(join(tmpdir(), "tintype-blobs-"));
});
afterAll(async () => {
  await Promise.all([s3.close(), redis.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const openS3 = (endpoint = s3.endpoint) =>
  openS3Blobs({ ...s3, endpoint, scratch: join(folder, newId("scratch")), log });

const openBesideRedis = async (url = redis.url) =>
  keepSmallInRedis({
    redis: connectRedis({ url, log }),
    blobs: await openS3(),
    scratch: join(folder, newId("scratch")),
  });

describe.each([
  { adapter: "folder", open: () => openFolderBlobs(join(folder, "shared")) },
  { adapter: "s3", open: openS3 },
  { adapter: "s3 beside Redis", open: () => openBesideRedis() },
])("$adapter", ({ adapter, open }) => {
  let blobs: Blobs;
  /** Another process of the same service. */
  let other: Blobs;
  let jobId: string;
  beforeAll(async () => {
    blobs = await open();
    other = await open();
  });
  beforeEach(() => {
    jobId = newId("job");
  });
  afterEach(() => blobs.remove(jobId));
  afterAll(async () => {
    await blobs.close();
    await other.close();
  });
  const read = async (name: string) => buffer(await other.read({ jobId, name }));

  test.each([0, 1, 300_000, 5 * megabyte, 12 * megabyte + 17])(
    "a written blob is read back, %i bytes",
    async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const stored = await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), {
        ...plain,
        hash: true,
        headBytes: 100_000,
      });
      expect(stored.sizeBytes).toBe(sizeBytes);
      expect(stored.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      expect(Buffer.compare(stored.head, bytes.subarray(0, 100_000))).toBe(0);
      expect(Buffer.compare(await read("in-0"), bytes)).toBe(0);
    },
  );

  test.each([10, 7 * megabyte])(
    "a range of a blob of %i bytes is read, to the last byte that it names",
    async (size) => {
      const bytes = randomBytes(size);
      await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), plain);
      // The fake S3 takes 0-0 for the whole.
      for (const [first, last] of [
        [0, 1],
        [3, 7],
        [size - 1, size - 1],
        [Math.floor(size / 2), size - 1],
        [0, size - 1],
      ] as const) {
        const part = await buffer(await other.read({ jobId, name: "in-0" }, { first, last }));
        expect(Buffer.compare(part, bytes.subarray(first, last + 1)), `${first}-${last}`).toBe(0);
      }
      await expect(other.read({ jobId, name: "in-1" }, { first: 0, last: 0 })).rejects.toMatchObject({ code: "gone" });
    },
  );

  test("without a wish for it there is neither hash nor head", async () => {
    const stored = await blobs.write({ jobId, name: "in-0" }, inPieces(randomBytes(10)), plain);
    expect(stored).toEqual({ sizeBytes: 10, sha256: undefined, head: Buffer.alloc(0) });
  });

  test.each([1_000, 11 * megabyte])(
    "above a limit of %i bytes the stream is read to its end and nothing is kept",
    async (limitBytes) => {
      let sentBytes = 0;
      const stream = Readable.from(
        (function* () {
          for (let piece = 0; piece < 200; piece++) {
            sentBytes += 100_000;
            yield randomBytes(100_000);
          }
        })(),
        { objectMode: false },
      );
      const writing = blobs.write({ jobId, name: "in-0" }, stream, { ...plain, limitBytes });
      await expect(writing).rejects.toMatchObject({ code: "too-large" });
      expect(sentBytes).toBe(20_000_000);
      await expect(other.read({ jobId, name: "in-0" })).rejects.toMatchObject({ code: "gone" });
    },
  );

  test("exactly the limit is allowed", async () => {
    const stored = await blobs.write({ jobId, name: "in-0" }, inPieces(randomBytes(1_000)), {
      ...plain,
      limitBytes: 1_000,
    });
    expect(stored.sizeBytes).toBe(1_000);
  });

  // A large piece is still being stored when the sender breaks off.
  test.each([
    { pieces: 1, pieceBytes: 100_000 },
    { pieces: 120, pieceBytes: 100_000 },
    { pieces: 1, pieceBytes: 32 * megabyte },
  ])(
    "a sender that breaks off after $pieces pieces of $pieceBytes bytes leaves nothing, and its error comes through",
    async ({ pieces, pieceBytes }) => {
      const broken = new Error("the sender hung up");
      const stream = Readable.from(
        (async function* () {
          for (let piece = 0; piece < pieces; piece++) yield randomBytes(pieceBytes);
          throw broken;
        })(),
        { objectMode: false },
      );
      await expect(blobs.write({ jobId, name: "in-0" }, stream, plain)).rejects.toBe(broken);
      await expect(other.read({ jobId, name: "in-0" })).rejects.toMatchObject({ code: "gone" });
    },
  );

  test("a checkout is a file of this machine, and the blob stays when it is released", async () => {
    const bytes = randomBytes(6 * megabyte);
    await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), plain);
    const [first, second] = [
      await other.checkout({ jobId, name: "in-0" }),
      await other.checkout({ jobId, name: "in-0" }),
    ];
    expect(Buffer.compare(await readFile(first.path), bytes)).toBe(0);
    expect(statSync(first.path).mode & 0o077).toBe(0);
    await first.release();
    expect(Buffer.compare(await readFile(second.path), bytes)).toBe(0);
    await second.release();
    expect(Buffer.compare(await read("in-0"), bytes)).toBe(0);
  });

  test.each([0, 200_000, 7 * megabyte])(
    "a draft of %i bytes is seen once it is committed, and not before",
    async (sizeBytes) => {
      const bytes = randomBytes(sizeBytes);
      const draft = await blobs.draft({ jobId, name: "out-0" });
      await writeFile(draft.path, bytes);
      await expect(other.read({ jobId, name: "out-0" })).rejects.toMatchObject({ code: "gone" });
      await draft.commit();
      expect(Buffer.compare(await read("out-0"), bytes)).toBe(0);
      const { path, release } = await other.checkout({ jobId, name: "out-0" });
      expect(statSync(path).mode & 0o077).toBe(0);
      await release();
    },
  );

  test("two drafts of one result do not touch each other; the last commit counts", async () => {
    const [first, second] = [await blobs.draft({ jobId, name: "out-0" }), await other.draft({ jobId, name: "out-0" })];
    await writeFile(first.path, "first");
    await writeFile(second.path, "second");
    await first.commit();
    expect(String(await read("out-0"))).toBe("first");
    await second.commit();
    expect(String(await read("out-0"))).toBe("second");
  });

  test.each([10, 7 * megabyte])("a discard after the commit of %i bytes takes nothing away", async (sizeBytes) => {
    const bytes = randomBytes(sizeBytes);
    const draft = await blobs.draft({ jobId, name: "out-0" });
    await writeFile(draft.path, bytes);
    await draft.commit();
    await draft.discard();
    expect(Buffer.compare(await read("out-0"), bytes)).toBe(0);
  });

  test("a discarded draft leaves nothing, also one that was never written", async () => {
    const written = await blobs.draft({ jobId, name: "out-0" });
    await writeFile(written.path, "x");
    await written.discard();
    await (await blobs.draft({ jobId, name: "out-0" })).discard();
    await expect(read("out-0")).rejects.toMatchObject({ code: "gone" });
    await expect(readFile(written.path)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("a commit without a file fails, and so does a discard after it not", async () => {
    const draft = await blobs.draft({ jobId, name: "out-0" });
    await expect(draft.commit()).rejects.toMatchObject({ code: "gone" });
    await draft.discard();
  });

  test("a blob that is not there is gone", async () => {
    const place = { jobId, name: "in-0" };
    await expect(blobs.read(place)).rejects.toMatchObject({ code: "gone" });
    await expect(blobs.checkout(place)).rejects.toMatchObject({ code: "gone" });
  });

  test("one blob is removed, and then all of the job's, and those of other jobs stay", async () => {
    const neighbour = `${jobId}1`;
    for (const place of [
      { jobId, name: "in-0" },
      { jobId, name: "in-1" },
      { jobId: neighbour, name: "in-0" },
    ])
      await blobs.write(place, inPieces(Buffer.from(place.name)), plain);
    await blobs.remove(jobId, "in-0");
    await expect(read("in-0")).rejects.toMatchObject({ code: "gone" });
    expect(String(await read("in-1"))).toBe("in-1");
    await other.remove(jobId);
    await expect(read("in-1")).rejects.toMatchObject({ code: "gone" });
    expect(String(await buffer(await blobs.read({ jobId: neighbour, name: "in-0" })))).toBe("in-0");
    await blobs.remove(neighbour);
  });

  test("removing what is not there is no error", async () => {
    await blobs.remove(jobId);
    await blobs.remove(jobId, "in-0");
  });

  test("drafts that a dead process left go with the job", async () => {
    const draft = await blobs.draft({ jobId, name: "out-0" });
    await writeFile(draft.path, "x");
    await blobs.remove(jobId);
    if (adapter === "folder") await expect(readFile(draft.path)).rejects.toMatchObject({ code: "ENOENT" });
    await draft.discard();
  });
});

test("folder: a store that does not take the bytes is unavailable", async () => {
  const blobs = await openFolderBlobs(join(folder, "blocked"));
  // A file in place of the job's folder: writing fails, as on a full disk.
  await writeFile(join(folder, "blocked", "job_a"), "");
  const place = { jobId: "job_a", name: "in-0" };
  await expect(blobs.write(place, inPieces(randomBytes(10)), plain)).rejects.toMatchObject({ code: "unavailable" });
  await expect(blobs.draft(place)).rejects.toMatchObject({ code: "unavailable" });
});

describe("s3", () => {
  let outage: Outage;
  let blobs: Blobs;
  let jobId: string;
  beforeEach(async () => {
    outage = await proxyTo({ port: Number(new URL(s3.endpoint).port) });
    blobs = await openS3(`http://127.0.0.1:${outage.port}`);
    jobId = newId("job");
  });
  afterEach(async () => {
    outage.mend();
    await blobs.remove(jobId);
    await blobs.close();
    await outage.close();
  });

  test("while the store is away, callers hear unavailable with a time to come back", async () => {
    await blobs.write({ jobId, name: "in-0" }, inPieces(randomBytes(1_000)), plain);
    outage.cut();
    const away = { code: "unavailable", retryAfterSeconds: 5 };
    const beganAt = performance.now();
    await expect(
      blobs.write({ jobId, name: "in-1" }, inPieces(randomBytes(8 * megabyte)), plain),
    ).rejects.toMatchObject(away);
    await expect(blobs.read({ jobId, name: "in-0" })).rejects.toMatchObject(away);
    await expect(blobs.remove(jobId)).rejects.toMatchObject(away);
    // The store's own timeout is a minute.
    expect(performance.now() - beganAt).toBeLessThan(40_000);
  });

  test("a worker's copy and its result wait out a store that is away for five seconds", async () => {
    const bytes = randomBytes(300_000);
    await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), plain);
    const [small, large] = [await blobs.draft({ jobId, name: "out-0" }), await blobs.draft({ jobId, name: "out-1" })];
    await writeFile(small.path, bytes);
    await writeFile(large.path, randomBytes(11 * megabyte));
    outage.cut();
    const working = Promise.all([blobs.checkout({ jobId, name: "in-0" }), small.commit(), large.commit()]);
    setTimeout(() => outage.mend(), 5_000);
    const [copy] = await working;
    expect(Buffer.compare(await readFile(copy.path), bytes)).toBe(0);
    await copy.release();
    expect(Buffer.compare(await buffer(await blobs.read({ jobId, name: "out-0" })), bytes)).toBe(0);
    expect((await buffer(await blobs.read({ jobId, name: "out-1" }))).length).toBe(11 * megabyte);
  });

  test("a connection that breaks amid a delivery goes on where it was", async () => {
    const bytes = randomBytes(16 * megabyte);
    await blobs.write({ jobId, name: "out-0" }, inPieces(bytes), plain);
    const pieces: Buffer[] = [];
    let receivedBytes = 0;
    let cuts = 0;
    for await (const piece of await blobs.read({ jobId, name: "out-0" })) {
      pieces.push(piece as Buffer);
      receivedBytes += (piece as Buffer).length;
      if (receivedBytes < (cuts + 1) * 4 * megabyte || cuts === 3) continue;
      cuts++;
      outage.cut();
      setTimeout(() => outage.mend(), 200);
    }
    expect(cuts).toBe(3);
    expect(Buffer.compare(Buffer.concat(pieces), bytes)).toBe(0);
  });

  test("a range whose connection breaks goes on where it was, and ends where it should", async () => {
    const bytes = randomBytes(16 * megabyte);
    await blobs.write({ jobId, name: "out-0" }, inPieces(bytes), plain);
    const range = { first: 3 * megabyte + 5, last: 14 * megabyte };
    const pieces: Buffer[] = [];
    let isCut = false;
    for await (const piece of await blobs.read({ jobId, name: "out-0" }, range)) {
      pieces.push(piece as Buffer);
      if (isCut || pieces.length < 20) continue;
      isCut = true;
      outage.cut();
      setTimeout(() => outage.mend(), 200);
    }
    expect(isCut).toBe(true);
    expect(Buffer.compare(Buffer.concat(pieces), bytes.subarray(range.first, range.last + 1))).toBe(0);
  });

  test("an empty scratch folder is left behind", async () => {
    const scratch = join(folder, newId("scratch"));
    const own = await openS3Blobs({ ...s3, scratch, log });
    await own.write({ jobId, name: "in-0" }, inPieces(randomBytes(10)), plain);
    const copy = await own.checkout({ jobId, name: "in-0" });
    const draft = await own.draft({ jobId, name: "out-0" });
    await writeFile(draft.path, "x");
    expect(readdirSync(scratch)).toHaveLength(2);
    await copy.release();
    await draft.commit();
    expect(readdirSync(scratch)).toEqual([]);
    await own.close();
  });

  test("processes on one bucket or folder read the same id of the store, those on others another", async () => {
    const [one, two] = await Promise.all([openS3(), openS3()]);
    const id = await one.identify();
    expect(id).toMatch(/^store_/);
    expect(await two.identify()).toBe(id);
    await Promise.all([one.close(), two.close()]);
    const [here, alsoHere, elsewhere] = await Promise.all([
      openFolderBlobs(join(folder, "here")),
      openFolderBlobs(join(folder, "here")),
      openFolderBlobs(join(folder, "elsewhere")),
    ]);
    const [first, second] = await Promise.all([here.identify(), alsoHere.identify()]);
    expect(second).toBe(first);
    expect(await elsewhere.identify()).not.toBe(first);
    expect(readdirSync(join(folder, "here"))).toEqual([storeIdName]);
  });

  test("a bucket that is not there stops the start with its name", async () => {
    await expect(openS3Blobs({ ...s3, bucket: "not-there", scratch: join(folder, "none"), log })).rejects.toThrow(
      /S3_BUCKET: not-there cannot be used/,
    );
  });
});

test("s3: of processes that start at once on an empty bucket one names the store", async () => {
  // The fake server has no conditional writes. Here two find nothing before either writes, and one writes once the other has its name.
  const objects = new Map<string, string>();
  let [reads, writes] = [0, 0];
  const bothHaveRead = Promise.withResolvers<void>();
  const oneHasItsName = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://store");
    const body = await text(request);
    const end = (status: number, content = "") => response.writeHead(status).end(content);
    if (request.method === "DELETE") return end(objects.delete(pathname) ? 204 : 404);
    if (request.method === "PUT") {
      if (pathname.endsWith(storeIdName)) await (++writes === 1 ? bothHaveRead : oneHasItsName).promise;
      if (request.headers["if-none-match"] === "*" && objects.has(pathname))
        return end(412, "<Error><Code>PreconditionFailed</Code></Error>");
      objects.set(pathname, body.replace(/^[0-9a-f]+;chunk-signature=.*\r\n/, "").replace(/\r\n[\s\S]*$/, ""));
      return end(200);
    }
    if (pathname.endsWith(storeIdName) && ++reads === 2) bothHaveRead.resolve();
    if (reads === 3) oneHasItsName.resolve();
    const found = objects.get(pathname);
    return found === undefined ? end(404, "<Error><Code>NoSuchKey</Code></Error>") : end(200, found);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  const both = await Promise.all([openS3(endpoint), openS3(endpoint)]);
  const [first, second] = await Promise.all(both.map((blobs) => blobs.identify()));
  expect(first).toContain("store_");
  expect(second).toBe(first);
  for (const blobs of both) await blobs.close();
  server.close();
  server.closeAllConnections();
});

test("s3: a bucket that keeps old versions stops the start", async () => {
  // The fake server has no versioning: this one answers that single request as S3 does.
  const server = createServer((_request, response) =>
    response.end(
      '<VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Status>Suspended</Status></VersioningConfiguration>',
    ),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  await expect(openS3(endpoint)).rejects.toThrow(/has versioning \(Suspended\)/);
  server.close();
  server.closeAllConnections();
});

test.each([
  { code: "InvalidAccessKeyId", sentence: /AWS_ACCESS_KEY_ID is not known there/ },
  { code: "SignatureDoesNotMatch", sentence: /AWS_SECRET_ACCESS_KEY is not the one of AWS_ACCESS_KEY_ID/ },
  { code: "AccessDenied", sentence: /the key may not store, read and delete objects/ },
])("s3: a key that the store refuses ($code) stops the start and names the setting", async ({ code, sentence }) => {
  // The fake server accepts every key: this one refuses as S3 does.
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(403, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server has one
  await expect(openS3(endpoint)).rejects.toThrow(sentence);
  server.close();
  server.closeAllConnections();
});

// Run manually, since the fake supports none of it. See TINTYPE_TEST_S3 and scripts/s3-server.sh in CONTRIBUTING.md.
if (process.env["TINTYPE_TEST_S3"])
  describe("a whole s3", () => {
    const inBucket = async (run: (client: S3Client, Bucket: string) => Promise<void>) => {
      const client = createS3Client(s3);
      const Bucket = `tintype-${randomBytes(6).toString("hex")}`;
      await client.send(new CreateBucketCommand({ Bucket }));
      await run(client, Bucket);
      await client.send(new DeleteBucketCommand({ Bucket }));
      client.destroy();
    };
    const openBucket = (bucket: string) => openS3Blobs({ ...s3, bucket, scratch: join(folder, newId("scratch")), log });

    test("a bucket with versioning stops the start", () =>
      inBucket(async (client, Bucket) => {
        await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: "Enabled" } }));
        await expect(openBucket(Bucket)).rejects.toThrow(/has versioning/);
      }));

    test("a bucket gets a rule of one day, once, and keeps the rules it had", () =>
      inBucket(async (client, Bucket) => {
        const own = { ID: "own", Status: "Enabled", Filter: { Prefix: "other/" }, Expiration: { Days: 30 } } as const;
        await client.send(
          new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules: [own] } }),
        );
        for (let start = 0; start < 2; start++) await (await openBucket(Bucket)).close();
        const { Rules = [] } = await client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
        expect(Rules.map(({ ID }) => ID).sort()).toEqual(["own", "tintype-forgotten-pictures"]);
        expect(Rules.find(({ ID }) => ID !== "own")).toMatchObject({
          Status: "Enabled",
          Filter: { Prefix: "jobs/" },
          Expiration: { Days: 1 },
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
        });
      }));

    test("parts that a dead process had sent go with the job, and nothing of other jobs", () =>
      inBucket(async (client, Bucket) => {
        const blobs = await openBucket(Bucket);
        for (const Key of ["jobs/job_a/in-0", "jobs/job_a/in-1", "jobs/job_a1/in-0"]) {
          const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
          const part = { Bucket, Key, UploadId, PartNumber: 1, Body: randomBytes(5 * megabyte) };
          await client.send(new UploadPartCommand(part));
        }
        const unfinished = async () =>
          ((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ Key }) => Key);
        await blobs.remove("job_a");
        expect(await unfinished()).toEqual(["jobs/job_a1/in-0"]);
        await blobs.remove("job_a1");
        expect(await unfinished()).toEqual([]);
        await blobs.close();
      }));

    test("an upload that breaks off, or is too large, leaves no parts", () =>
      inBucket(async (client, Bucket) => {
        const blobs = await openBucket(Bucket);
        const sent = () =>
          Readable.from(
            (async function* () {
              for (let piece = 0; piece < 20; piece++) yield randomBytes(megabyte);
              throw new Error("the sender hung up");
            })(),
            { objectMode: false },
          );
        await expect(blobs.write({ jobId: "job_a", name: "in-0" }, sent(), plain)).rejects.toThrow("hung up");
        const limited = { ...plain, limitBytes: 15 * megabyte };
        const tooMuch = inPieces(randomBytes(20 * megabyte));
        await expect(blobs.write({ jobId: "job_a", name: "in-1" }, tooMuch, limited)).rejects.toThrow(/larger/);
        expect((await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).toEqual([]);
        expect((await client.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).toEqual([]);
        await blobs.close();
      }));
  });

describe("s3 beside Redis", () => {
  let outage: Outage;
  let blobs: Blobs;
  let plainS3: Blobs;
  let jobId: string;
  const bytes = randomBytes(1_000);
  beforeEach(async () => {
    outage = await proxyTo({ port: Number(new URL(redis.url).port) });
    [blobs, plainS3] = await Promise.all([openBesideRedis(`redis://127.0.0.1:${outage.port}`), openS3()]);
    jobId = newId("job");
  });
  afterEach(async () => {
    outage.mend();
    await expect
      .poll(() =>
        blobs.remove(jobId).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await Promise.all([blobs.close(), plainS3.close()]);
    await outage.close();
  });

  test("small blobs never reach S3, large ones do", async () => {
    await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), plain);
    await blobs.write({ jobId, name: "in-1" }, inPieces(randomBytes(2 * megabyte)), plain);
    await expect(plainS3.read({ jobId, name: "in-0" })).rejects.toMatchObject({ code: "gone" });
    expect((await buffer(await plainS3.read({ jobId, name: "in-1" }))).length).toBe(2 * megabyte);
  });

  test("while Redis is away S3 takes small blobs, and a blob that Redis holds is unavailable, not gone", async () => {
    await blobs.write({ jobId, name: "in-0" }, inPieces(bytes), plain);
    outage.cut();
    await expect(blobs.read({ jobId, name: "in-0" })).rejects.toMatchObject({ code: "unavailable" });
    await blobs.write({ jobId, name: "in-1" }, inPieces(bytes), plain);
    expect(Buffer.compare(await buffer(await blobs.read({ jobId, name: "in-1" })), bytes)).toBe(0);
    const draft = await blobs.draft({ jobId, name: "out-0" });
    await writeFile(draft.path, bytes);
    await draft.commit();
    expect(Buffer.compare(await buffer(await plainS3.read({ jobId, name: "out-0" })), bytes)).toBe(0);
    await expect(blobs.remove(jobId)).rejects.toMatchObject({ code: "unavailable" });
  });
});
