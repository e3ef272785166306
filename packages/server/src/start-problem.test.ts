import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeStartProblem } from "./start-problem.ts";

test("a system call that fails at the start is said as a sentence with the path", () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-start-"));
  writeFileSync(join(folder, "file"), "");
  try {
    mkdirSync(join(folder, "file", "data"));
  } catch (problem) {
    expect(describeStartProblem(problem)).toBe(
      `${join(folder, "file", "data")}: Part of this path is a file (ENOTDIR).`,
    );
  }
  rmSync(folder, { recursive: true });
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
  expect(describeStartProblem(full)).toBe("The disk is full. Free some space, then start again (ENOSPC).");
});

test("what the embedded database throws on a full disk is no [object Object]", () => {
  expect(describeStartProblem({ name: "ErrnoError", errno: 51 })).toContain("The disk is full");
  expect(describeStartProblem({ odd: 1 })).toContain("odd");
});

test("our own sentences stay as they are, also where a system's code is their cause", () => {
  const cause = Object.assign(new Error("x"), { code: "ENOENT", syscall: "open" });
  expect(describeStartProblem(new Error("DATABASE_URL: nobody listens", { cause }))).toBe(
    "DATABASE_URL: nobody listens",
  );
});
