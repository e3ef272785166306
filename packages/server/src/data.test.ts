import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moveData } from "./data.ts";
import { type Database, rowsOf } from "./platform/db/database.ts";
import { openPostgres } from "./platform/db/postgres.ts";
import { startTestApp, type TestApp } from "./testing/harness.ts";
import { samplePng } from "./testing/pictures.ts";
import { startPostgres, type TestPostgres } from "./testing/postgres.ts";

const secret = "one secret for every place that the data is moved to";
const folder = mkdtempSync(join(tmpdir(), "tintype-data-"));
const embedded = join(folder, "embedded");
const returned = join(folder, "returned");
const file = join(folder, "tintype.data.gz");
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = (dataFolder: string, environment = {}): Promise<TestApp> =>
  startTestApp({ dataFolder, environment: { TINTYPE_SECRET: secret, ...environment } });
const here = (dataFolder: string) => ({ TINTYPE_DATA: dataFolder, TINTYPE_SECRET: secret });
const onPostgres = () => ({ ...here(join(folder, "server")), DATABASE_URL: postgres.url });

/** Creates an empty database beside the first one. Returns its address. */
async function makeDatabase(name: string): Promise<string> {
  const url = new URL(postgres.url);
  const admin = await openPostgres(postgres.url);
  await admin.db.execute(sql`create database ${sql.identifier(name)}`);
  await admin.close();
  url.pathname = `/${name}`;
  return url.href;
}

/** The ledger and its counters. */
const creditsIn = (db: Database) =>
  rowsOf<Record<string, unknown>>(
    db.execute(sql`
      select e.holder, e.credits, e.at::text, a.total_used from credit_entries e
      left join allowances a on a.holder = e.holder order by e.id`),
  );

test("a database goes to a file, to PostgreSQL and back to a folder, and the service goes on with it", async () => {
  const app = await start(embedded);
  const guest = app.caller();
  expect((await guest.run("compress", [{ name: "a.png", bytes: samplePng(40, 30) }], { quality: "60" })).status).toBe(
    200,
  );
  await app.person("pro");
  const before = await creditsIn(app.db);
  expect(before.length).toBeGreaterThan(0);
  await expect(moveData(["export", file], here(embedded))).rejects.toThrow("Another Tintype is using");
  await app.close();

  expect(await moveData(["export", file], here(embedded))).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(moveData(["export", file], here(embedded))).rejects.toThrow("exists already");

  // A truncated export, or one with a changed row, leaves nothing behind.
  const whole = gunzipSync(readFileSync(file)).toString();
  const broken = join(folder, "broken.gz");
  for (const [text, sentence] of [
    [whole.slice(0, -40), "This is not an export"],
    [whole.slice(0, whole.trimEnd().lastIndexOf("\n") + 1), "truncated"],
    [whole.replace(/"paid_plan":"pro"/, '"paid_plan":"hobby"'), "Table accounts has"],
    [whole.replace(/"migration":"./, '"migration":"-'), "another release"],
    ["nothing of ours", "This is not an export"],
  ] as const) {
    writeFileSync(broken, gzipSync(text));
    await expect(moveData(["import", broken], onPostgres())).rejects.toThrow(sentence);
  }
  writeFileSync(broken, readFileSync(file).subarray(0, -200));
  await expect(moveData(["import", broken], onPostgres())).rejects.toThrow(
    `${broken} is cut off. Nothing was written.`,
  );
  writeFileSync(broken, "no gzip");
  await expect(moveData(["import", broken], onPostgres())).rejects.toThrow(`${broken} is damaged, or no export`);

  expect(await moveData(["import", file], onPostgres())).toBe(0);
  await expect(moveData(["import", file], onPostgres())).rejects.toThrow("is not empty");

  const there = await start(join(folder, "server"), { DATABASE_URL: postgres.url });
  expect(await creditsIn(there.db)).toEqual(before);
  // Sequences continue where they were: a further entry gets no id that is in use.
  expect(
    (await there.caller().run("compress", [{ name: "b.png", bytes: samplePng(50, 30) }], { quality: "60" })).status,
  ).toBe(200);
  await expect(moveData(["export", join(folder, "running.gz")], onPostgres())).rejects.toThrow("1 running process");
  const after = await creditsIn(there.db);
  expect(after).toHaveLength(before.length + 1);
  await there.close();

  await expect(moveData(["migrate", "--to", postgres.url], onPostgres())).rejects.toThrow("uses already");
  expect(await moveData(["migrate", "--to", returned], onPostgres())).toBe(0);
  const back = await start(returned);
  expect(await creditsIn(back.db)).toEqual(after);
  expect((await back.caller().run("compress", [{ name: "c.png", bytes: samplePng(60, 30) }])).status).toBe(200);
  await back.close();
});

test("more rows than fit into a batch, and values that text could change, arrive as they were", async () => {
  const [from, to] = [await makeDatabase("many"), await makeDatabase("target")];
  const source = await openPostgres(from);
  await source.db.execute(sql`
    insert into credit_entries (holder, day, at, kind, credits, file_name)
    select 'guest:' || n, '2026-03-10', timestamptz '2026-03-10 12:00:00.123457+05:30' + n * interval '1 microsecond', 'charge', 1,
      E'tab\t, line\n, quote " and backslash \\\\ , \u00e9' from generate_series(1, 2345) n`);
  await source.close();
  expect(await moveData(["migrate", "--to", to], { ...onPostgres(), DATABASE_URL: from })).toBe(0);
  const target = await openPostgres(to);
  const rows = await rowsOf<{ at: string; file_name: string }>(
    target.db.execute(sql`
      select to_char(at at time zone 'UTC', 'HH24:MI:SS.US') as at, file_name from credit_entries order by id desc limit 1`),
  );
  expect(rows).toMatchObject([
    { at: "06:30:00.125802", file_name: 'tab\t, line\n, quote " and backslash \\ , \u00e9' },
  ]);
  await target.close();
});

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("what the daily service of systemd wrote brings a lost installation back, and old backups go", async () => {
  const unit = readFileSync(join(root, "deploy/systemd/tintype-backup.service"), "utf8");
  const [, words = ""] = /^ExecStart=\S+ packages\/server\/src\/data\.ts (.+)$/m.exec(unit) ?? [];
  const [command = "", place = "", ...rest] = words.split(" ");
  expect([command, place, ...rest]).toEqual(["backup", "/var/lib/tintype/backups", "--keep", "14"]);
  const data = join(folder, "lost");
  const backups = join(folder, "backups");
  const scheduled = () => moveData([command, backups, ...rest], here(data));
  const app = await start(data);
  const person = await app.person("pro");
  expect((await person.run("compress", [{ name: "a.png", bytes: samplePng(40, 30) }], { quality: "60" })).status).toBe(
    200,
  );
  const before = await creditsIn(app.db);
  await expect(scheduled()).rejects.toThrow("Another Tintype is using");
  await app.close();
  // A year of backups, and an unrelated file.
  mkdirSync(backups, { recursive: true });
  const old = Array.from(
    { length: 20 },
    (_, day) => `tintype-2025-01-${String(day + 1).padStart(2, "0")}T033000Z.data.gz`,
  );
  const killed = "tintype-2025-02-01T033000Z.data.gz.part";
  for (const name of [...old, "notes.txt", killed]) writeFileSync(join(backups, name), "x");
  utimesSync(join(backups, killed), 1, 1);
  expect(await scheduled()).toBe(0);
  const left = readdirSync(backups).toSorted();
  expect(left).toHaveLength(15);
  expect(left).toEqual(expect.arrayContaining([...old.slice(-13), "notes.txt"]));
  const newest = left.findLast((name) => name.endsWith(".data.gz")) ?? "";
  expect(newest).toMatch(/^tintype-20(?!25)/);
  expect(statSync(join(backups, newest)).mode & 0o777).toBe(0o600);
  // With few files, even from a clock that was ahead, none is deleted; the file just written never is.
  const few = join(folder, "few-backups");
  mkdirSync(few);
  const ahead = [1, 2, 3].map((day) => `tintype-2099-01-0${day}T033000Z.data.gz`);
  for (const name of ahead) writeFileSync(join(few, name), "x");
  expect(await moveData(["backup", few, "--keep", "9"], here(data))).toBe(0);
  expect(readdirSync(few)).toHaveLength(4);
  for (const name of readdirSync(few)) if (!ahead.includes(name)) rmSync(join(few, name));
  expect(await moveData(["backup", few, "--keep", "2"], here(data))).toBe(0);
  expect(readdirSync(few).toSorted()).toEqual([expect.not.stringContaining("2099"), ahead[2]]);

  rmSync(data, { recursive: true });
  expect(await moveData(["import", join(backups, newest)], here(data))).toBe(0);
  const again = await start(data);
  expect(await creditsIn(again.db)).toEqual(before);
  expect(
    (await again.caller().run("compress", [{ name: "b.png", bytes: samplePng(50, 30) }], { quality: "60" })).status,
  ).toBe(200);
  await again.close();
});

test("on PostgreSQL a backup is written while the server runs, and can be restored", async () => {
  const live = await makeDatabase("live");
  const at = (url: string) => ({ ...here(join(folder, "live")), DATABASE_URL: url });
  const app = await start(join(folder, "live"), { DATABASE_URL: live });
  await app.person("pro");
  const backups = join(folder, "live-backups");
  expect(await moveData(["backup", backups], at(live))).toBe(0);
  const answer = await app.caller().run("compress", [{ name: "a.png", bytes: samplePng(40, 30) }], { quality: "60" });
  expect(answer.status).toBe(200);
  await app.close();
  const restored = await makeDatabase("restored");
  const [name = ""] = readdirSync(backups);
  expect(await moveData(["import", join(backups, name)], at(restored))).toBe(0);
  const target = await openPostgres(restored);
  expect(await rowsOf(target.db.execute(sql`select paid_plan from accounts`))).toEqual([{ paid_plan: "pro" }]);
  await target.close();
});

test("a wrong call shows the usage", async () => {
  for (const args of [
    [],
    ["export"],
    ["migrate"],
    ["import", "a", "b"],
    ["remove", "x"],
    ["backup"],
    ["backup", "x", "--keep", "0"],
    ["export", "x", "--keep", "3"],
  ])
    expect(await moveData(args, here(embedded))).toBe(2);
});
