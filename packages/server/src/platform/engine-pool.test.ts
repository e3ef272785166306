import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "@tintype/contract";
import type { Task } from "@tintype/imaging";
import { afterEach, beforeEach, expect, test } from "vitest";
import { samplePng } from "../testing/pictures.ts";
import { allocatorEnvironment, EngineLost, type EngineRun } from "./engine.ts";
import { EnginePool, type EnginePoolOptions } from "./engine-pool.ts";
import { noSandbox, type Sandbox } from "./sandbox.ts";

let folder: string;
let pool: EnginePool | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-pool-"));
  mkdirSync(join(folder, "scratch"));
});
afterEach(async () => {
  await pool?.close();
  rmSync(folder, { recursive: true, force: true });
});

const silent = { warn() {}, debug() {} };
const open = (options: Partial<EnginePoolOptions> = {}) => {
  pool = new EnginePool({ size: 1, scratch: join(folder, "scratch"), memoryLimitMb: 4000, log: silent, ...options });
  return pool;
};
let made = 0;
const task = (bytes: Uint8Array): Task => {
  const inputPath = join(folder, `in-${made++}`);
  writeFileSync(inputPath, bytes);
  return {
    name: "resize",
    options: { width: 900, method: "fit" },
    inputPath,
    outputPath: `${inputPath}.out`,
    limits: { megapixelsIn: 100, megapixelsOut: 100 },
  };
};
const quick = () => task(samplePng(40, 30));
/** Within the limits of a drawing, but endless to render: edges that cross each other everywhere. */
const endless = (): Task => {
  const edges = Array.from({ length: 200_000 }, (_, i) => `L${(i * 7919) % 997} ${(i * 104_729) % 991}`).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="999" height="999"><path d="M0 0${edges}"/></svg>`;
  return { ...task(new TextEncoder().encode(svg)), name: "upscale", options: { scale_factor: 2 } };
};
const run = (work: Task, options: Partial<EngineRun> = {}): EngineRun => ({
  task: work,
  timeLimitMs: 120_000,
  signal: new AbortController().signal,
  progress() {},
  ...options,
});
const untilBusy = async () => {
  await expect.poll(() => pool?.busy).toBe(1);
  await expect.poll(() => pool?.processIds.length).toBe(1);
};
const kill = (signal: NodeJS.Signals) => {
  const [pid] = pool?.processIds ?? [];
  if (pid === undefined) throw new Error("no engine process");
  process.kill(pid, signal);
  return pid;
};

test("a task whose process is killed says so, alone, and the pool is whole again", async () => {
  open();
  const lost = expect(pool?.run(run(endless()))).rejects.toBeInstanceOf(EngineLost);
  await untilBusy();
  const pid = kill("SIGKILL");
  await lost;
  await expect.poll(() => pool?.processIds.length).toBe(1);
  expect(pool?.processIds).not.toContain(pid);
  await expect(pool?.run(run(quick()))).resolves.toMatchObject({ kind: "done" });
});

test("a process that hangs is ended at the time limit", async () => {
  open();
  const work = pool?.run(run(endless(), { timeLimitMs: 3000 }));
  const late = expect(work).rejects.toMatchObject({ code: "took-too-long" });
  await untilBusy();
  kill("SIGSTOP");
  await late;
  await expect(pool?.run(run(quick()))).resolves.toMatchObject({ kind: "done" });
});

test("a drawing that takes too long to draw is ended, also where more would be done to it", async () => {
  open();
  await expect(pool?.run(run(endless(), { firstProgressLimitMs: 3000 }))).rejects.toMatchObject({
    code: "took-too-long",
  });
});

test("a process that takes too much memory is ended with a sentence, and not tried again", async () => {
  open({ memoryLimitMb: 1 });
  await expect(pool?.run(run(endless()))).rejects.toMatchObject({
    code: "cannot-process",
    detail: expect.stringContaining("memory"),
  });
});

test("cancelling stops the work, before it begins or in the middle", async () => {
  open();
  const [running, never] = [new AbortController(), new AbortController()];
  never.abort();
  await expect(pool?.run(run(quick(), { signal: never.signal }))).rejects.toMatchObject({ code: "cancelled" });
  const first = pool?.run(run(endless(), { signal: running.signal }));
  await untilBusy();
  running.abort();
  await expect(first).rejects.toMatchObject({ code: "cancelled" });
  // The only process is free: what was cancelled would have kept it.
  await expect(pool?.run(run(quick()))).resolves.toMatchObject({ kind: "done" });
});

test("a refused picture is the picture's fault: its sentence comes through and the process stays", async () => {
  open();
  await pool?.run(run(quick()));
  const before = pool?.processIds;
  await expect(pool?.run(run(task(new TextEncoder().encode("not a picture"))))).rejects.toMatchObject({
    code: "not-an-image",
  });
  expect(pool?.processIds).toEqual(before);
});

test("engines see nothing of the server's environment, and leave no scratch behind", async () => {
  process.env["TINTYPE_TEST_SECRET"] = "x";
  open();
  await pool?.run(run(quick()));
  for (const id of pool?.processIds ?? []) {
    const names = readFileSync(`/proc/${id}/environ`, "utf8")
      .split("\0")
      .filter((entry) => entry !== "")
      .map((entry) => entry.replace(/=.*/s, ""));
    expect(names).toContain("TMPDIR");
    const known = ["PATH", "TMPDIR", "NODE_COMPILE_CACHE", "NODE_CHANNEL_FD", "NODE_CHANNEL_SERIALIZATION_MODE"];
    expect(names.filter((name) => !known.includes(name) && !(name in allocatorEnvironment))).toEqual([]);
  }
  await pool?.close();
  expect(readdirSync(join(folder, "scratch"))).toEqual([]);
  expect(pool?.processIds).toEqual([]);
});

/** A fake engine process that responds to its first task with this message. */
const saying = (message: object): Sandbox => ({
  ...noSandbox,
  wrap: () => [
    process.execPath,
    "--eval",
    `process.send({ type: "ready" });
    process.on("message", ({ id }) => {
      require("node:fs").writeFileSync("out", "result");
      process.send({ ...${JSON.stringify(message)}, id });
    });`,
  ],
});
const facts = { format: "png", width: 1, height: 1, sizeBytes: 6 };

test("of what an engine says nothing is kept but the fields of an outcome: others name pictures of other callers", async () => {
  const kept = { cutOut: "../../secret", original: "../job_of_somebody/in-0", width: 1, height: 1 };
  const result = { ...facts, kept, name: "../name" };
  const outcome = { kind: "done", source: { ...facts, kept }, result, notes: [], kept };
  const said = await open({ sandbox: saying({ type: "done", outcome }) }).run(run(quick()));
  expect(said).toEqual({ kind: "done", source: facts, result: facts, notes: [] });
});

test.each([
  { type: "done", outcome: { kind: "done", source: facts, result: { ...facts, format: "constructor" }, notes: [] } },
  { type: "done", outcome: { kind: "done", source: facts, result: { ...facts, sizeBytes: "6\r\nx: y" }, notes: [] } },
  { type: "done" },
  { type: "refused", code: "constructor", reason: { code: "no-subject" } },
  { type: "refused", code: "cannot-process", reason: { code: "constructor" } },
  { type: "other" },
])("an engine that says %j is ended", async (message) => {
  await expect(open({ sandbox: saying(message) }).run(run(quick()))).rejects.toThrow(EngineLost);
});

test("an engine that leaves a folder in its workdir is ended, and the folder goes with the workdir", async () => {
  const answer = { type: "refused", code: "cannot-process", reason: { code: "no-subject" } };
  const hostile = saying(answer);
  const wrap: Sandbox["wrap"] = (workdir, command) => {
    const [file, flag, script = ""] = hostile.wrap(workdir, command);
    return [
      file,
      flag ?? "",
      script.replace('"out", "result"', '"out", "result"), require("node:fs").mkdirSync("folder"'),
    ];
  };
  await expect(open({ sandbox: { ...hostile, wrap } }).run(run(quick()))).rejects.toThrow(DomainError);
  await expect
    .poll(() => readdirSync(join(folder, "scratch")).map((workdir) => readdirSync(join(folder, "scratch", workdir))))
    .toEqual([[]]);
});

test("a lazy pool starts with the first task and ends when idle", async () => {
  open({ idleMs: 50 });
  expect(pool?.processIds).toEqual([]);
  await pool?.run(run(quick()));
  await expect.poll(() => pool?.processIds.length).toBe(0);
  await expect(pool?.run(run(quick()))).resolves.toMatchObject({ kind: "done" });
});
