import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DomainError, errors, type TaskName } from "../../packages/contract/src/index.ts";
import { createImaging } from "../../packages/imaging/src/imaging.ts";
import { isDeep } from "../../packages/server/src/testing/deep.ts";
import { mutate, seededRandom } from "./mutate.ts";
import { madeSeeds, type Seed } from "./seeds.ts";

const imaging = createImaging();
let folder: string;
let seeds: Seed[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tintype-mutated-"));
  seeds = await madeSeeds();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tasks: [TaskName, object][] = [
  ["compress", { quality: 60 }],
  ["convert", { target_format: "png" }],
  ["convert", { target_format: "webp" }],
  ["resize", { width: 20, method: "fit" }],
  ["preview", { side: 32 }],
  ["upload", {}],
];

async function statusOf(bytes: Uint8Array, [name, options]: (typeof tasks)[number]): Promise<number> {
  const inputPath = join(folder, "in");
  writeFileSync(inputPath, bytes);
  try {
    await imaging.run(
      { name, options, inputPath, outputPath: join(folder, "out"), limits: { megapixelsIn: 25, megapixelsOut: 25 } },
      { signal: new AbortController().signal, progress() {} },
    );
    return 200;
  } catch (problem) {
    if (!(problem instanceof DomainError)) throw problem;
    return errors[problem.code].status;
  }
}

test("each seed is a picture that is read", async () => {
  for (const { name, bytes } of seeds)
    expect(await statusOf(bytes, ["convert", { target_format: "png" }]), name).toBe(200);
});

test("a damaged picture is worked on or refused as the sender's, whatever is damaged", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(),
      fc.nat(seeds.length - 1),
      fc.nat(seeds.length - 1),
      fc.constantFrom(...tasks),
      async (number, first, second, task) => {
        const [seed, other] = [seeds[first], seeds[second]] as [Seed, Seed]; // both below the length
        const status = await statusOf(mutate(seed.bytes, seededRandom(number), other.bytes), task);
        expect(status, `${seed.name} ${task[0]}`).toBeLessThan(500);
      },
    ),
    { numRuns: isDeep ? 3000 : 100 },
  );
});
