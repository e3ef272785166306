import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startTestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";
import { closeDataFolder } from "./data-folder.ts";
import { engineUid } from "./sandbox.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-data-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Everything that another user could open, except models, and the engines' rooms, which belong to another user. Under root
 * the engines' group may traverse the folder.
 */
function openToOthers(): string[] {
  const inner = readdirSync(folder, { recursive: true, withFileTypes: true }).map(({ parentPath, name }) =>
    join(parentPath, name),
  );
  const isForEngines = (path: string) =>
    path === folder && statSync(path).gid === engineUid && (statSync(path).mode & 0o077) === 0o010;
  return [folder, ...inner].filter(
    (path) => !/[/](models|scratch[/]engine-)/.test(path) && (statSync(path).mode & 0o077) !== 0 && !isForEngines(path),
  );
}

test("nothing in the data folder is open to other users, whatever the umask, and it stays so while the server works", async () => {
  const umask = process.umask(0);
  const app = await startTestApp({ dataFolder: folder, keepsDatabase: true, hasEngineProcesses: true });
  try {
    const person = await app.person();
    const picture = { name: "a.png", bytes: samplePng(30, 20) };
    const begun = await person.run("compress", [picture], { quality: "60" }, { prefer: "respond-async" });
    await (await person.call(`${begun.headers.get("location")}/events`)).text();
    await app.db.execute(sql`create table later as select generate_series(1, 20000) as n`);
    expect(readdirSync(join(folder, "pgdata")).length).toBeGreaterThan(10);
    expect(openToOthers()).toEqual([]);
  } finally {
    await app.close();
    process.umask(umask);
  }
  expect(openToOthers()).toEqual([]);
});

test("a data folder of an earlier release is closed at the start, and models stay readable", () => {
  for (const inner of ["pgdata/base/1", "spool/job_1", "models"]) mkdirSync(join(folder, inner), { recursive: true });
  for (const file of [
    "secret",
    "pgdata/PG_VERSION",
    "pgdata/base/1/112",
    "spool/job_1/in-0",
    "models/a.onnx",
    "notes.txt",
  ]) {
    writeFileSync(join(folder, file), "x");
    chmodSync(join(folder, file), 0o666);
  }
  chmodSync(folder, 0o755);
  expect(closeDataFolder(folder)).toEqual([]);
  expect(openToOthers()).toEqual([join(folder, "notes.txt")]); // which somebody else put there
  expect(statSync(join(folder, "models/a.onnx")).mode & 0o777).toBe(0o666);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});
