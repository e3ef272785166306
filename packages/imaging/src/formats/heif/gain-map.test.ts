import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testLimits } from "../../testing/run-operation.ts";
import { openInputFile } from "../input-file.ts";
import { box } from "./boxes.ts";
import { readHeifGainMap } from "./gain-map.ts";

test("a gain map whose extents name the whole file a thousand times takes no memory for it", async () => {
  const count = 1000;
  const item = box("infe", Buffer.from([2, 0, 0, 0, 0, 1, 0, 0]), Buffer.from("tmap\0"));
  // Each extent starts at 0 with length 0, which means the whole file.
  const places = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0]), Buffer.alloc(2 + 8 * count)]);
  places.writeUInt16BE(count, 12);
  const meta = box("meta", Buffer.alloc(4), box("iinf", Buffer.from([0, 0, 0, 0, 0, 1]), item), box("iloc", places));
  const folder = await mkdtemp(join(tmpdir(), "gain-map-"));
  try {
    const path = join(folder, "in.heic");
    await writeFile(path, Buffer.concat([meta, box("mdat", Buffer.alloc(1e6))]));
    const before = process.resourceUsage().maxRSS; // kB
    const map = await readHeifGainMap(await openInputFile(path), {
      scratchPath: join(folder, "scratch"),
      limits: testLimits,
    });
    expect(map).toBeUndefined();
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(200_000);
  } finally {
    await rm(folder, { recursive: true });
  }
});
