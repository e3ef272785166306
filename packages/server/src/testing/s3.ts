import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";
import { CreateBucketCommand, ListObjectsV2Command } from "@aws-sdk/client-s3";
import { createS3Client, type S3Place } from "../platform/blobs/s3-client.ts";
import { freePort } from "./free-port.ts";

export type TestS3 = S3Place & {
  endpoint: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  /** The number of objects in it, at most a thousand. */
  count(): Promise<number>;
  /** Whether it supports all of S3: the fake has no lifecycle rules, no versioning, and does not list unfinished uploads. */
  isWhole: boolean;
  close(): Promise<void>;
};

/**
 * An S3 server with one bucket. `TINTYPE_TEST_S3`, `http://key:secret@host:port/bucket`, names a real one instead of the
 * fake; `scripts/s3-server.sh` starts one.
 */
export async function startS3(): Promise<TestS3> {
  const real = process.env["TINTYPE_TEST_S3"];
  if (real) return { ...openPlace(real), isWhole: true };
  const folder = mkdtempSync(join(tmpdir(), "tintype-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: await freePort(),
    directory: folder,
    silent: true,
    vhostBuckets: false,
    // It computes the signatures of bucket requests differently from the SDK.
    allowMismatchedSignatures: true,
  });
  const { address, port } = await server.run();
  const { client, ...place } = openPlace(`http://S3RVER:S3RVER@${address}:${port}/tintype`);
  await client.send(new CreateBucketCommand({ Bucket: place.bucket }));
  return {
    ...place,
    isWhole: false,
    async close() {
      await place.close();
      const http = server.httpServer as Server; // it listens
      const closed = once(http, "close");
      http.close();
      http.closeAllConnections();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openPlace(address: string) {
  const place = placeOf(address);
  const client = createS3Client(place);
  return {
    ...place,
    client,
    count: async () => (await client.send(new ListObjectsV2Command({ Bucket: place.bucket }))).KeyCount ?? 0,
    close: async () => client.destroy(),
  };
}

function placeOf(address: string) {
  const { origin, username, password, pathname } = new URL(address);
  return {
    bucket: pathname.slice(1),
    endpoint: origin,
    region: "us-east-1",
    credentials: { accessKeyId: username, secretAccessKey: password },
  };
}
