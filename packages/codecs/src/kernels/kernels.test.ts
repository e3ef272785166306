import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import * as deflate from "./layout/deflate.ts";
import * as jpegBlocks from "./layout/jpeg-blocks.ts";
import * as jpegScans from "./layout/jpeg-scans.ts";
import * as optimalParse from "./layout/optimal-parse.ts";
import * as shrink from "./layout/shrink.ts";
import { loadKernel } from "./load-kernel.ts";

const names = globSync("assembly/*.ts", { cwd: import.meta.dirname }).map((file) => basename(file, ".ts"));

test.each(names)("%s is compiled, and works on a memory that it is given", async (name) => {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const { default: code } = await import(`./build/${name}.wasm.js`);
  const kernel = loadKernel<object>(code)(memory);
  expect(Object.values(kernel).length).toBeGreaterThan(0);
  for (const exported of Object.values(kernel)) expect(exported).toBeInstanceOf(Function);
});

const expectInOrder = (tables: readonly (readonly [at: number, bytes: number])[]) =>
  tables.slice(1).forEach(([at], i) => {
    const [before = 0, bytes = 0] = tables[i] ?? [];
    expect(at).toBeGreaterThanOrEqual(before + bytes);
  });

test("no table of the optimal parse reaches into the next, nor its tokens into them", () => {
  const at = optimalParse;
  expectInOrder([
    [deflate.tokens, 8 * Math.ceil(at.chunkBytes / 3) + 16],
    [at.treeHeads, 4 * 65_536],
    [at.heads, 6 * at.headBytes],
    [at.byteCosts, 4 * 256],
    [at.lengthCosts, 4 * (deflate.longestMatch + 1)],
    [at.distanceCosts, 4 * deflate.distanceCodeCount],
    [at.costsToEnd, 4 * (at.chunkBytes + 1)],
    [at.steps, 4 * at.chunkBytes],
    [at.matchStarts, 4 * (at.chunkBytes + 1)],
    [at.matches, at.matchesEnd - at.matches],
    [at.sons, 8 * deflate.windowBytes],
    [at.scratch, 2048],
    [at.output, (14 / 8) * at.chunkBytes + 1024],
    [at.data, 0],
  ]);
});

test("no table of the JPEG kernels' memory reaches into the next", () => {
  const {
    places,
    block,
    transposed,
    predecessor,
    candidates,
    chosen,
    zeroingCost,
    leastCost,
    lowestGain,
    tables,
    tableBytes,
  } = jpegBlocks;
  expectInOrder([
    [places, 64],
    [block, 256],
    [transposed, 256],
    [predecessor, 64],
    [candidates, 64],
    [chosen, 256],
    [zeroingCost, 256],
    [leastCost, 256],
    [lowestGain, 256],
    [tables, 3 * tableBytes],
    [jpegBlocks.tablesEnd, 0],
  ]);
  const { inverseSteps, steps, weights, acRates, acCounts, dcCounts, previousDc, lambda, deadZone } = jpegBlocks;
  expectInOrder([
    ...[inverseSteps, steps, weights].map((at) => [at, 256] as const),
    ...[acRates, acCounts].map((at) => [at, 1024] as const),
    [dcCounts, 64],
    ...[previousDc, lambda, deadZone].map((at) => [at, 4] as const),
    [tableBytes, 0],
  ]);
  const scans = jpegScans;
  expectInOrder([
    [scans.codes, 1024],
    [scans.counts, 1024],
    [scans.additionalBits, 8],
    [scans.pendingBits, 8],
    ...[scans.pendingCount, scans.eobRun, scans.eobCorrectionBits, scans.previousDc].map((at) => [at, 4] as const),
    [scans.correctionBits, scans.maximumCorrectionBits + 2 * 64],
    [scans.tablesEnd, 0],
  ]);
});

test("no table of a kernel's memory reaches into the next", () => {
  const { places, shortPlaces, sums, byteCounts, byteCountsBytes, tokens } = deflate;
  const tables = [
    [deflate.costs, 256],
    [deflate.lengthCodes, 512],
    [deflate.distanceCodes, 512],
    [deflate.lengthExtraBits, 32],
    [deflate.distanceExtraBits, 32],
    [deflate.distanceBases, 64],
    ...[deflate.position, deflate.start, deflate.seen, deflate.saved].map((at) => [at, 4]),
    [deflate.pendingBits, 8],
    [deflate.pendingCount, 4],
    [deflate.counts, 4 * (deflate.byteAndLengthCodes + deflate.distanceCodeCount)],
    [deflate.entries, 4 * (257 + deflate.longestMatch)],
    [deflate.distanceEntries, 128],
    [places, shortPlaces - places],
    [shortPlaces, 65_536],
    [sums, 4 * 32_768],
    [byteCounts, 4 * byteCountsBytes],
    [tokens, 0],
  ] as const;
  expectInOrder(tables.map(([at = 0, bytes = 0]) => [at, bytes]));
  expect(deflate.farDistanceCodes).toBe(deflate.distanceCodes + 256);
  expect(deflate.endEntry).toBe(deflate.entries + 4 * 256);
  expect(shrink.values).toBeGreaterThanOrEqual(shrink.lights + 2 * 256);
  expect(shrink.tablesEnd).toBe(shrink.values + shrink.fullLight + 1);
  expect(shrink.fullWeight).toBe(2 ** shrink.weightBits);
});
