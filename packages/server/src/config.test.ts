import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, settings, takeConfig } from "./config.ts";
import { memoryBytes } from "./platform/memory.ts";

const secret = "a secret that is long enough for the tests";
const shared = { DATABASE_URL: "postgres://localhost/x", REDIS_URL: "redis://localhost", TINTYPE_SECRET: secret };

test("secrets are taken out of the environment, and nothing else", () => {
  const environment: Record<string, string | undefined> = {
    ...shared,
    SMTP_URL: "smtp://user:password@localhost",
    MAIL_FROM: "us@example.com",
    RAZORPAY_KEY_ID: "rzp_test_x",
    RAZORPAY_KEY_SECRET: "key secret",
    RAZORPAY_WEBHOOK_SECRET: "webhook secret",
    GOOGLE_CLIENT_SECRET: "google secret",
    TINTYPE_METRICS_TOKEN: "metrics-token-1234",
    PATH: "/usr/bin",
  };
  const config = takeConfig(environment);
  expect(config).toMatchObject({
    secret,
    RAZORPAY_KEY_SECRET: "key secret",
    TINTYPE_METRICS_TOKEN: "metrics-token-1234",
  });
  expect(Object.keys(environment).sort()).toEqual(["MAIL_FROM", "PATH", "RAZORPAY_KEY_ID"]);
});

test("every setting whose name says that it is secret is taken out", () => {
  const named = Object.keys(settings).filter((name) =>
    /SECRET|TOKEN|PASSWORD(?!_MIN)|ACCESS_KEY|^(DATABASE|REDIS|SMTP)_URL/.test(name),
  );
  const environment = Object.fromEntries(named.map((name) => [name, "x"])) as Record<string, string | undefined>;
  Object.assign(environment, shared, {
    SMTP_URL: "smtp://x",
    TINTYPE_METRICS_TOKEN: secret,
    RAZORPAY_WEBHOOK_SECRET: secret,
  });
  takeConfig(environment);
  expect(environment).toEqual({});
});

test("several processes are not begun with a secret each", () => {
  const { TINTYPE_SECRET: _, ...without } = shared;
  expect(() => readConfig(without)).toThrow(/TINTYPE_SECRET/);
  expect(() => readConfig(shared)).not.toThrow();
});

test("a secret that a full disk cut off stops the start, and a new one is kept whole", () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-config-"));
  const path = join(folder, "secret");
  writeFileSync(path, "");
  expect(() => readConfig({ TINTYPE_DATA: folder })).toThrow(/secret in .* is cut off/);
  rmSync(path);
  const { secret: made } = readConfig({ TINTYPE_DATA: folder });
  expect(made.length).toBeGreaterThan(32);
  expect(readConfig({ TINTYPE_DATA: folder }).secret).toBe(made);
  expect(readdirSync(folder)).toEqual(["secret"]);
  rmSync(folder, { recursive: true });
});

test("work is picture, model or both", () => {
  expect(readConfig({ ...shared, TINTYPE_ROLE: "worker", TINTYPE_WORK: "model" }).TINTYPE_WORK).toEqual(["model"]);
  for (const wrong of ["model,other", ",", "pictures"])
    expect(() => readConfig({ ...shared, TINTYPE_WORK: wrong })).toThrow(/TINTYPE_WORK/);
  expect(() => readConfig({ ...shared, TINTYPE_ROLE: "cook" })).toThrow(/TINTYPE_ROLE/);
});

test("an engine's memory is a share of the container's, not of the machine's", () => {
  expect(memoryBytes(2_000_000_000)).toBe(Math.min(2_000_000_000, totalmem()));
  expect(memoryBytes(0)).toBe(totalmem());
  expect(memoryBytes(2 ** 63)).toBe(totalmem());
});
