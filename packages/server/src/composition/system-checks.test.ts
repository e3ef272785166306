import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../platform/db/postgres.ts";
import { freePort } from "../testing/free-port.ts";
import { startMailbox } from "../testing/mailbox.ts";
import { startPostgres } from "../testing/postgres.ts";
import { startRedis } from "../testing/redis.ts";
import { startS3 } from "../testing/s3.ts";
import { checkSystem, judgeFreeSpace, tableOf } from "./system-checks.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-doctor-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const common = () => ({ TINTYPE_DATA: folder, TINTYPE_SECRET: "Zq8-vK2m_Lr5xW9tPd3sHc7yBn4gJf6e" });
const byPart = (findings: Awaited<ReturnType<typeof checkSystem>>) =>
  Object.fromEntries(findings.map(({ part, state, text }) => [part, `${state}: ${text}`]));

test("each part that answers is ok, and the probes leave nothing behind", async () => {
  const [postgres, redis, s3, mailbox] = await Promise.all([startPostgres(), startRedis(), startS3(), startMailbox()]);
  try {
    const found = byPart(
      await checkSystem({
        ...common(),
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        ...mailbox.environment,
        CONTACT_EMAIL: "us@example.com",
        S3_BUCKET: s3.bucket,
        S3_ENDPOINT: s3.endpoint,
        S3_REGION: s3.region,
        AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
      }),
    );
    expect(found).toMatchObject({
      database: expect.stringMatching(/^ok: PostgreSQL \d+/),
      clock: expect.stringMatching(/^ok: \d+ ms/),
      mail: expect.stringMatching(/^ok: 127/),
      disk: expect.stringMatching(/^(ok|warn): \d+ GB free/),
      sandbox: 'ok: engines are at the level "namespaces"',
    });
    expect(found["Redis"]).toMatch(/^(ok|fail: maxmemory)/);
    expect(found["pictures"]).toMatch(/^(ok|warn)/);
    expect(mailbox.letters).toEqual([]);
    expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/doctor/));
  } finally {
    await Promise.all([postgres.close(), redis.close(), s3.close(), mailbox.close()]);
  }
});

test("each part that does not answer fails by the name of its setting", async () => {
  const found = byPart(
    await checkSystem({
      ...common(),
      DATABASE_URL: "postgres://x@127.0.0.1:1/x",
      REDIS_URL: "redis://127.0.0.1:1",
      SMTP_URL: "smtp://127.0.0.1:1",
      MAIL_FROM: "us@example.com",
      S3_BUCKET: "none",
      S3_ENDPOINT: "http://127.0.0.1:1",
      AWS_ACCESS_KEY_ID: "a",
      AWS_SECRET_ACCESS_KEY: "b",
    }),
  );
  expect(found).toMatchObject({
    database: expect.stringMatching(/^fail: DATABASE_URL/),
    Redis: expect.stringMatching(/^fail: REDIS_URL/),
    pictures: expect.stringMatching(/^fail: S3_BUCKET/),
    mail: expect.stringMatching(/^fail: SMTP_URL/),
  });
});

test("a configuration's faults are sentences about its settings", async () => {
  const [finding] = await checkSystem({ TINTYPE_SECRET: "short", TINTYPE_ROLE: "chief", SMTP_URL: "mail" });
  expect(finding?.text.split("\n").slice(1).sort()).toEqual([
    "SMTP_URL is not a valid URL.",
    "TINTYPE_ROLE must be one of all, api, worker.",
    "TINTYPE_SECRET must have at least 32 characters.",
  ]);
});

test("a disk without room for pictures fails, one that is nearly full is a warning", () => {
  const states = [4e6, 400e6, 2e9, 50e9].map((freeBytes) => judgeFreeSpace(freeBytes, "/data").state);
  expect(states).toEqual(["fail", "fail", "warn", "ok"]);
  expect(judgeFreeSpace(4e6, "/data").text).toMatch(/^4 MB free in .data: pictures are refused/);
});

test("an address that does not answer is a warning with its cause", async () => {
  const proxyOf = async (origin: string) =>
    byPart(await checkSystem({ ...common(), TINTYPE_ORIGIN: origin, PAYMENTS: "sandbox", MAIL: "log" }))["proxy"];
  expect(await proxyOf(`http://127.0.0.1:${await freePort()}`)).toMatch(/nothing listens there.*ECONNREFUSED/);
  expect(await proxyOf("https://tintype.invalid")).toMatch(/its name cannot be resolved/);
});

test("an invalid configuration is one finding with its lines, and the table has a line for each", async () => {
  const findings = await checkSystem({ PORT: "x", HOST: "h", RATE_LIMIT_PER_MINUTE: "0" });
  expect(findings).toMatchObject([{ part: "configuration", state: "fail" }]);
  expect(tableOf(findings)).toMatch(
    /^configuration {2}FAIL {2}The configuration is invalid[.]\n {21}PORT must be a number[.]/,
  );
});

test("a database that a newer release has migrated fails by both releases' migrations", async () => {
  const postgres = await startPostgres();
  try {
    const { db, close } = await openPostgres(postgres.url);
    const found = async () => byPart(await checkSystem({ ...common(), DATABASE_URL: postgres.url }))["database"];
    expect(await found()).toMatch(/^ok: PostgreSQL \d+/);
    await db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at)
      select 'of a later release', max(created_at) + 1 from drizzle.__drizzle_migrations`);
    await close();
    expect(await found()).toMatch(
      /^fail: The database is at migration \d{4}.* but Tintype \d+\.\d+\.\d+ has migrations/,
    );
  } finally {
    await postgres.close();
  }
});
