import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { Blobs } from "../../../platform/blobs/blobs.ts";
import type { JobRecord } from "../record/job.ts";
import { wholeResult } from "./result.ts";

test.each([0, 1, 3])("a caller who hangs up after %i pieces of a ZIP leaves no picture open", async (pieces) => {
  const opened: Readable[] = [];
  const blobs = {
    async read() {
      const bytes = Buffer.alloc(100_000);
      const stream = Readable.from([bytes.subarray(0, 50_000), bytes.subarray(50_000)]);
      opened.push(stream);
      return stream;
    },
  } as Partial<Blobs> as Blobs;
  const files = ["a", "b", "c"].map((name) => ({
    output: name,
    state: "done",
    name: `${name}.png`,
    notes: [],
    result: { name: `${name}.png`, sizeBytes: 100_000, format: "png", width: 1, height: 1 },
    source: { sizeBytes: 100_000, format: "png", width: 1, height: 1 },
  }));
  const record = { id: "job_1", operation: "compress", steps: [], files } as unknown as JobRecord; // what a ZIP reads of it
  const stream = await wholeResult(record, { blobs, archiveName: "tintype" }).open();
  for (let read = 0; read < pieces; read += 1) await stream.iterator({ destroyOnReturn: false }).next();
  stream.destroy();
  await expect.poll(() => opened.length > 0 && opened.every(({ destroyed }) => destroyed)).toBe(true);
});
