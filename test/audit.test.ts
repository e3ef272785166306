import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const audit = (...more: string[]) => spawnSync(process.execPath, ["scripts/audit.mjs", ...more], { encoding: "utf8" });

test("no installed package has an advisory of the list", () => {
  expect(audit()).toMatchObject({ status: 0, stderr: "" });
});

test("a version that an advisory names is found, at whatever depth it is installed", () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-audit-"));
  const [list, lock] = [join(folder, "list.json"), join(folder, "lock.json")];
  writeFileSync(
    list,
    JSON.stringify([{ id: "GHSA-1", package: "@x/y", versions: ">=1.0.0 <1.2.3", title: "it leaks" }]),
  );
  const packages = {
    "": { version: "1.0.0" },
    "node_modules/@x/y": { version: "1.2.3" },
    "node_modules/a/node_modules/@x/y": { version: "1.2.3-beta.1" },
  };
  writeFileSync(lock, JSON.stringify({ packages }));
  const { status, stderr } = audit("--list", list, "--lock", lock);
  rmSync(folder, { recursive: true });
  expect({ status, stderr }).toEqual({ status: 1, stderr: "@x/y 1.2.3-beta.1: it leaks (GHSA-1)\n" });
});
