import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPglite } from "./platform/db/pglite.ts";

const folder = mkdtempSync(join(tmpdir(), "tintype-newer-"));
const file = join(folder, "export.gz");
beforeAll(async () => {
  const { db, close } = await openPglite({ folder });
  await db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at)
    select 'of a later release', max(created_at) + 1 from drizzle.__drizzle_migrations`);
  await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = ["main.ts", "data.ts export FILE", "data.ts import FILE", "data.ts migrate --to FOLDER", "admin.ts list"];
test.each(lines)("%s on the database of a newer release ends with one sentence that names both", (line) => {
  const [script = "", ...args] = line.replace("FILE", file).replace("FOLDER", join(folder, "other")).split(" ");
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [path, ...args], {
    encoding: "utf8",
    timeout: 60_000,
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      HOME: folder,
      PORT: "0",
      TINTYPE_DATA: folder,
      TINTYPE_SITE: "false",
      TINTYPE_LOG_LEVEL: "silent",
      TINTYPE_SANDBOX: "off",
    },
  });
  expect(stderr).toMatch(
    /^The database is at migration \d{4}, of \S+, but Tintype \d+\.\d+\.\d+ has migrations only up to \d{4}_\w+\..*\n$/,
  );
  expect(status).toBe(1);
  expect(existsSync(file)).toBe(false);
});
