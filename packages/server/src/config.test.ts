import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig, settings, takeConfig } from "./config.ts";
import { deriveKeys } from "./platform/keys.ts";
import { memoryBytes } from "./platform/memory.ts";
import { isGuessable } from "./secret-strength.ts";

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
    keys: deriveKeys(secret),
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
    TINTYPE_SECRET_PREVIOUS: `before ${secret}`,
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
  expect(() => readConfig({ TINTYPE_DATA: folder })).toThrow(/secret in .* is truncated/);
  rmSync(path);
  const { keys: made } = readConfig({ TINTYPE_DATA: folder });
  expect(readFileSync(path, "utf8").length).toBeGreaterThan(32);
  expect(readConfig({ TINTYPE_DATA: folder }).keys).toEqual(made);
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

const production = {
  NODE_ENV: "production",
  TINTYPE_ORIGIN: "https://pictures.example",
  DATABASE_URL: "embedded",
  TINTYPE_TRUSTED_PROXIES: "none",
  MAIL: "log",
  PAYMENTS: "sandbox",
  TINTYPE_SECRET: secret,
};

test("in production all that is missing is said at once, and what would be dangerous is asked for by name", () => {
  for (const name of [
    "TINTYPE_ORIGIN",
    "DATABASE_URL",
    "TINTYPE_TRUSTED_PROXIES",
    "SMTP_URL and MAIL_FROM",
    "PAYMENTS=sandbox",
  ])
    expect(() => readConfig({ NODE_ENV: "production" })).toThrow(name);
  const config = readConfig(production);
  expect(config.DATABASE_URL).toBeUndefined();
  expect(config.TINTYPE_TRUSTED_PROXIES).toEqual([]);
  const worker = { ...shared, NODE_ENV: "production", TINTYPE_ROLE: "worker", TINTYPE_SECRET: undefined };
  expect(() => readConfig(worker)).not.toThrow();
});

test("in production a setting that is spelt wrong is refused with the one that is meant, and names of others are not", () => {
  expect(() => readConfig({ ...production, DATABSE_URL: "postgres://x/y", SMTP_ULR: "x" })).toThrow(
    /DATABSE_URL: .*Is DATABASE_URL meant\?\nSMTP_ULR: .*Is SMTP_URL meant\?/,
  );
  expect(() => readConfig({ ...production, TINTYPE_COLOUR: "red" })).toThrow(
    /TINTYPE_COLOUR: there is no such setting/,
  );
  const others = {
    HOME: "/root",
    PATH: "/bin",
    MALE: "x",
    HOSTNAME: "a",
    AWS_REGION: "x",
    TINTYPE_KEY: "tt_live_x",
    LANG: "C",
    TINTYPE_SERVICE_HOST: "10.0.0.1",
    TINTYPE_PORT: "tcp://10.0.0.1:80",
    TINTYPE_PORT_80_TCP_ADDR: "10.0.0.1",
    REDIS_PORT: "tcp://10.0.0.2:6379",
    DATABASE_URL_FILE: "",
    npm_config_cache: "/x",
  };
  expect(() => readConfig({ ...production, ...others })).not.toThrow();
  expect(() => readConfig({ DATABSE_URL: "postgres://x/y", TINTYPE_SECRET: secret })).not.toThrow();
});

test("a proxy that is no address is refused by the setting's name", () => {
  for (const wrong of ["proxy", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.1, x"])
    expect(() => readConfig({ TINTYPE_SECRET: secret, TINTYPE_TRUSTED_PROXIES: wrong }), wrong).toThrow(
      /TINTYPE_TRUSTED_PROXIES.*: name addresses or CIDR blocks/,
    );
  const right = "10.0.0.0/8, ::1, fd00::/8, loopback";
  expect(readConfig({ TINTYPE_SECRET: secret, TINTYPE_TRUSTED_PROXIES: right }).TINTYPE_TRUSTED_PROXIES).toHaveLength(
    4,
  );
});

test.each([
  ["TINTYPE_SECRET", "replace-with-at-least-32-random-characters"],
  ["TINTYPE_SECRET", "change-me-change-me-change-me-change-me"],
  ["TINTYPE_SECRET", "put your secret of thirty-two characters here"],
  ["TINTYPE_SECRET", "better-auth-secret-12345678901234567890"],
  ["TINTYPE_METRICS_TOKEN", "replace-with-what-prometheus-sends"],
  ["DATABASE_URL", "postgres://tintype:replace@postgres.example:5432/tintype"],
  ["AWS_SECRET_ACCESS_KEY", "replace"],
  ["RAZORPAY_WEBHOOK_SECRET", "replace-me"],
])("a placeholder is no secret: %s=%s is refused by name", (name, value) => {
  expect(() => readConfig({ ...shared, [name]: value })).toThrow(new RegExp(`${name}.*placeholder`));
});

test.each([
  "a".repeat(64),
  "check".repeat(8),
  "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
  "01234567890123456789012345678901",
  "1111111122222222333333334444444455555555",
])("a secret that can be guessed is refused: %s", (weak) => {
  expect(() => readConfig({ ...shared, TINTYPE_SECRET: weak })).toThrow(/TINTYPE_SECRET is too weak/);
  expect(() => readConfig({ ...shared, TINTYPE_SECRET_PREVIOUS: weak })).toThrow(/TINTYPE_SECRET_PREVIOUS is too weak/);
});

test("a previous secret stands beside another one", () => {
  expect(readConfig({ ...shared, TINTYPE_SECRET_PREVIOUS: `the one before ${secret}` }).previousKeys).toBeDefined();
  expect(readConfig(shared).previousKeys).toBeUndefined();
  expect(() => readConfig({ ...shared, TINTYPE_SECRET_PREVIOUS: secret })).toThrow(/are equal/);
  expect(() => readConfig({ TINTYPE_SECRET_PREVIOUS: secret })).toThrow(/Set the new secret as TINTYPE_SECRET/);
});

test("random secrets and passphrases are accepted", () => {
  for (let i = 0; i < 2000; i++)
    for (const good of [randomBytes(16).toString("hex"), randomBytes(24).toString("base64")])
      expect(isGuessable(good), good).toBe(false);
  expect(isGuessable("correct horse battery staple and a lamp")).toBe(false);
});
