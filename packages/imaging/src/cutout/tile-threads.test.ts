import { afterAll, expect, test } from "vitest";
import { renderCutout } from "../testing/rendered-cutout.ts";
import { runCutOut } from "../testing/run-cut-out.ts";
import { createTileThreads } from "./tile-threads.ts";

/** Tiles are 512 px wide here: three of them side by side, in three bands. */
const picture = renderCutout("softness", 1200);
const running = { profile: "auto_rembg", factor: 4 } as const;
const alone = await runCutOut(picture, running);
const threads = createTileThreads({ count: 2 });
afterAll(() => threads.close());

test("three threads cut the very same picture as one, and do so again", async () => {
  for (let i = 0; i < 2; i += 1) {
    const together = await runCutOut(picture, { ...running, threads });
    expect(threads.running()).toBe(2);
    expect(Buffer.from(together.alpha.buffer).equals(Buffer.from(alone.alpha.buffer))).toBe(true);
    expect(Buffer.from(together.foreground.buffer).equals(Buffer.from(alone.foreground.buffer))).toBe(true);
  }
});

test("a cancelled picture ends between tiles, and its threads serve the next one", async () => {
  const abort = new AbortController();
  const cancelled = runCutOut(picture, { ...running, threads, signal: abort.signal, onProgress: () => abort.abort() });
  await expect(cancelled).rejects.toThrow("aborted");
  const next = await runCutOut(picture, { ...running, threads });
  expect(next.alpha).toEqual(alone.alpha);
});

test.each([
  { how: "throws", code: "throw new Error('out of order')", message: "out of order" },
  { how: "ends", code: "process.exit(3)", message: "a thread that cut tiles ended (3)" },
])("a thread that $how under its tile fails the picture, and the next one gets another thread", async (row) => {
  const code = `import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { ${row.code} });`;
  const workerFile = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const broken = createTileThreads({ count: 1, workerFile });
  for (let i = 0; i < 2; i += 1)
    await expect(runCutOut(picture, { ...running, threads: broken })).rejects.toThrow(row.message);
  await broken.close();
});

test("threads without work end by themselves", async () => {
  const brief = createTileThreads({ count: 1, idleMs: 1 });
  await runCutOut(picture, { ...running, threads: brief });
  await expect.poll(() => brief.running()).toBe(0);
});
