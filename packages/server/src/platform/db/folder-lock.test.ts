import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockFolder } from "./folder-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a folder is one process' at a time, and free again when let go", async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(/Another Tintype is using/);
  await unlock();
  expect(existsSync(join(folder, "lock"))).toBe(false);
  await (await lockFolder(folder))();
});

test("of many who try at once, one gets it", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("the lock of a process that is gone is taken over", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: child.pid }));
  await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
});

test.runIf(process.platform === "linux")("a killed process that its parent has not reaped holds nothing", async () => {
  // The short sleep becomes a zombie: the shell that started it has been replaced by a program that waits for no child.
  const parent = spawn("sh", ["-c", "sleep 0.2 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [pid] = (await once(parent.stdout, "data")) as [Buffer]; // what it echoed
    const stat = readFileSync(`/proc/${Number(pid)}/stat`, "utf8");
    const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    writeFileSync(join(folder, "lock"), JSON.stringify({ pid: Number(pid), began }));
    await expect.poll(() => readFileSync(`/proc/${Number(pid)}/stat`, "utf8")).toContain(") Z ");
    await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
  } finally {
    parent.kill();
  }
});

test("a process id that was given out again to another process is no holder", async () => {
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, began: "1" }));
  await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
});

/** Reads folders, and reports for each whether it got the lock. */
const starter = `
  import { lockFolder } from ${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href)};
  process.on("message", (folder) => lockFolder(folder).then(() => process.send(true), () => process.send(false)));
  process.send("ready");`;

test("of processes that find a dead holder at once, one takes its place", async () => {
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", starter], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    }),
  );
  try {
    await Promise.all(children.map((child) => once(child, "message")));
    for (let round = 0; round < 20; round++) {
      const contested = mkdtempSync(join(folder, "contested-"));
      writeFileSync(join(contested, "lock"), JSON.stringify({ pid: process.pid, began: "1" }));
      const answers = children.map((child) => once(child, "message"));
      for (const child of children) child.send(contested);
      expect((await Promise.all(answers)).filter(([isHolder]) => isHolder)).toHaveLength(1);
    }
  } finally {
    for (const child of children) child.kill();
  }
});

test.runIf(process.platform === "linux")(
  "a holder of another container lives as long as it touches the lock",
  async () => {
    const path = join(folder, "lock");
    writeFileSync(path, JSON.stringify({ pid: 1, began: "1", space: "pid:[1]" }));
    const beat = setInterval(() => utimesSync(path, new Date(), new Date()), 1_000);
    await expect(lockFolder(folder)).rejects.toThrow(/Another Tintype is using/);
    clearInterval(beat);
    const unlock = await lockFolder(folder);
    const taken = statSync(path).mtimeMs;
    await expect.poll(() => statSync(path).mtimeMs).toBeGreaterThan(taken);
    await unlock();
  },
);

test.each(["", "not json", "{}"])("a lock file with %j in it holds no process off", async (content) => {
  writeFileSync(join(folder, "lock"), content);
  await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
});
