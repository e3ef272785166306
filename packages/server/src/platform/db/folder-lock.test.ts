import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

test("a process id that was given out again to another process is no holder", async () => {
  writeFileSync(join(folder, "lock"), JSON.stringify({ pid: process.pid, began: "1" }));
  await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
});

test.each(["", "not json", "{}"])("a lock file with %j in it holds nobody off", async (content) => {
  writeFileSync(join(folder, "lock"), content);
  await expect(lockFolder(folder)).resolves.toBeTypeOf("function");
});
