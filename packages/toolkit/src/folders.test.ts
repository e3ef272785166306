import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { usableFolder } from "./index.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-folders-"));
afterAll(() => rmSync(room, { recursive: true, force: true }));
let temporary = "";
let count = 0;
beforeEach(() => {
  count += 1;
  temporary = join(room, `tmp-${count}`);
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
});
afterEach(() => vi.unstubAllEnvs());
const modeOf = (path: string) => statSync(path).mode & 0o777;

test("a cache is made for its owner alone to read, and folders above it as usual", async () => {
  const wanted = join(room, "above", "cache");
  expect(await usableFolder(wanted)).toBe(wanted);
  expect([modeOf(wanted), modeOf(join(room, "above"))]).toEqual([0o700, 0o777 & ~process.umask()]);
});

test("a cache that cannot be made in its place lies among temporary files, for a person without a name too", async () => {
  writeFileSync(join(room, "file"), "");
  const own = await usableFolder(join(room, "file", "cache"));
  expect(own).toBe(join(temporary, `tintype-${process.getuid?.()}`));
  expect(modeOf(own)).toBe(0o700);
  expect(await usableFolder("/proc/none/cache")).toBe(own);
});

test("a folder that another person prepared among temporary files is not used", async () => {
  const theirs = join(room, "theirs");
  mkdirSync(theirs);
  symlinkSync(theirs, join(temporary, `tintype-${process.getuid?.()}`));
  const own = await usableFolder("/proc/none/cache");
  expect(existsSync(own)).toBe(true);
  expect(own).toMatch(/tmp-\d+\/tintype-\w{6}$/);
});
