import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { treeOf } from "../platform/process-tree.ts";
import { freePort } from "../testing/free-port.ts";
import { createCaller } from "../testing/harness.ts";
import { startIssuer, type TestIssuer } from "../testing/issuer.ts";
import { noisePng, samplePng } from "../testing/pictures.ts";
import { startPostgres } from "../testing/postgres.ts";
import { startRedis, type TestRedis } from "../testing/redis.ts";
import { startS3, type TestS3 } from "../testing/s3.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const secret = "a secret that is long enough for the tests";
let folder: string;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
let redis: TestRedis;
let issuer: TestIssuer;
let s3: TestS3;
const children: ChildProcess[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tintype-roles-"));
  [postgres, redis, issuer, s3] = await Promise.all([startPostgres(), startRedis(), startIssuer(), startS3()]);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all([postgres.close(), redis.close(), issuer.close(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process as `npm start` does. */
async function begin(role: string, environment: Record<string, string>, stderr: "inherit" | "pipe") {
  const port = await freePort();
  const child = spawn(process.execPath, [main], {
    stdio: ["ignore", "ignore", stderr],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      PORT: String(port),
      TINTYPE_ROLE: role,
      TINTYPE_DATA: join(folder, `${role}-${port}`),
      TINTYPE_BLOBS: join(folder, "blobs"),
      TINTYPE_SITE: "false",
      TINTYPE_ENGINES: "1",
      TINTYPE_LOG_LEVEL: "silent",
      TINTYPE_SECRET: secret,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_JWKS_URL: `${issuer.url}/jwks`,
      ...environment,
    },
  });
  children.push(child);
  return { child, url: `http://localhost:${port}` };
}

/** Starts a process and waits for its end. Returns its status and what it said. */
async function startInVain(role: string, environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const { child } = await begin(role, environment, "pipe");
  let said = "";
  child.stderr?.on("data", (text: Buffer) => {
    said += String(text);
  });
  const [code] = await once(child, "close");
  return { code: Number(code), said };
}

/** Starts a process and waits until it is ready. */
async function start(role: string, environment: Record<string, string> = {}) {
  const { child, url } = await begin(role, environment, "inherit");
  const statusOf = (path: string) =>
    fetch(url + path).then(
      ({ status }) => status,
      () => 0,
    );
  const exited = once(child, "exit").then(([code]) => code as number | null); // what node's event carries
  await expect.poll(() => statusOf("/readyz")).toBe(200);
  return { child, url, statusOf, exited };
}

test("a worker answers for its health alone, and an API process has it work", async () => {
  // Pictures below 1 MB go through Redis, the others through S3.
  const places = {
    TINTYPE_BLOBS: "",
    TINTYPE_SMALL_BLOBS: "redis",
    S3_BUCKET: s3.bucket,
    S3_ENDPOINT: s3.endpoint,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
  const [api, worker] = await Promise.all([
    start("api", places),
    start("worker", { ...places, TINTYPE_WORK: "picture" }),
  ]);
  expect(await worker.statusOf("/healthz")).toBe(200);
  expect(await worker.statusOf("/metrics")).toBe(200);
  for (const path of ["/", "/api/config", "/api/openapi.json", "/idp/jwks", "/sandbox/razorpay/checkout.js"])
    expect(await worker.statusOf(path), path).toBe(404);
  const person = createCaller(api.url, await issuer.token("ann"));
  const answer = await person.run("compress", [{ name: "a.png", bytes: samplePng(60, 40) }], { quality: "60" });
  expect(answer.status).toBe(200);
  await answer.bytes();

  // Stopped with work in progress: it is not ready at once, the work ends, and so does the process.
  const working = person.run("compress", [{ name: "b.png", bytes: noisePng(1200, 1200) }], { quality: "60" });
  const inWork = async () =>
    (await (await fetch(`${worker.url}/metrics`)).text()).match(/tintype_engines_busy (\d)/)?.[1];
  await expect.poll(inWork, { interval: 20 }).toBe("1");
  worker.child.kill("SIGTERM");
  await expect.poll(() => worker.statusOf("/readyz"), { interval: 50 }).toBe(503);
  expect(await worker.statusOf("/healthz")).toBe(200);
  expect((await working).status).toBe(200);
  expect(await worker.exited).toBe(0);
  api.child.kill("SIGTERM");
  await expect.poll(() => api.statusOf("/readyz"), { interval: 50 }).toBe(503);
  expect(await api.exited).toBe(0);
});

test("a process with work that does not end in time hands it back, and ends well within the time", async () => {
  const [api, slow] = await Promise.all([start("api"), start("worker", { TINTYPE_STOP_WITHIN_S: "5" })]);
  const person = createCaller(api.url, await issuer.token("ben"));
  const begun = await person.run(
    "compress",
    [{ name: "long.png", bytes: noisePng(1500, 1500) }],
    { quality: "60" },
    { prefer: "respond-async" },
  );
  expect(begun.status).toBe(202);
  const place = begun.headers.get("location") ?? "";
  const stateOf = async () => {
    const { files, state } = (await (await person.call(place)).json()) as { state: string; files: { state: string }[] };
    return state === "running" ? files[0]?.state : state;
  };
  await expect.poll(stateOf, { interval: 20 }).toBe("working");
  // It would never end by itself.
  for (const pid of treeOf(slow.child.pid ?? 0).slice(-1)) process.kill(pid, "SIGSTOP");
  const stoppedAt = performance.now();
  slow.child.kill("SIGTERM");
  expect(await slow.exited).toBe(0);
  // A process waits 5 s for its engines before it kills them; a busy machine needs longer.
  expect(performance.now() - stoppedAt).toBeLessThan(20_000);
  const next = await start("worker");
  await expect.poll(stateOf, { timeout: 120_000, interval: 200 }).toBe("done");
  expect((await person.call(`${place}/result`)).headers.get("x-credits-charged") ?? "1").toBe("1");
  for (const { child, exited } of [api, next]) {
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  }
});

test("a process with another secret, or other pictures, than those that are alive refuses to join them", async () => {
  const api = await start("api");
  const stranger = await startInVain("worker", { TINTYPE_SECRET: "another secret that is long enough for the tests" });
  expect(stranger).toEqual({ code: 1, said: expect.stringMatching(/^TINTYPE_SECRET: the other processes/) });
  const elsewhere = await startInVain("worker", { TINTYPE_BLOBS: join(folder, "other-blobs") });
  expect(elsewhere).toEqual({ code: 1, said: expect.stringMatching(/^TINTYPE_BLOBS, S3_BUCKET: the other processes/) });
  // A rotation: the new secret, with the one of the others as the previous one.
  const rotated = await start("worker", {
    TINTYPE_SECRET: "another secret that is long enough for the tests",
    TINTYPE_SECRET_PREVIOUS: secret,
  });
  for (const { child, exited } of [rotated, api]) {
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  }
});

test("a Redis that refuses the password stops the start; one that goes away later makes the process not ready", async () => {
  const other = await startRedis();
  const admin = new Redis(other.url);
  await admin.config("SET", "requirepass", "sesame");
  const refused = await startInVain("api", { REDIS_URL: other.url });
  expect(refused).toEqual({
    code: 1,
    said: expect.stringMatching(/^REDIS_URL: Redis refuses: it requires a password/),
  });
  const wrong = await startInVain("api", { REDIS_URL: other.url.replace("//", "//:open@") });
  expect(wrong).toEqual({ code: 1, said: expect.stringMatching(/^REDIS_URL: Redis refuses: .*password is wrong/) });
  const api = await start("api", { REDIS_URL: other.url.replace("//", "//:sesame@") });
  admin.disconnect();
  await other.close();
  await expect.poll(() => api.statusOf("/readyz")).toBe(503);
  expect(await api.statusOf("/healthz")).toBe(200);
  api.child.kill("SIGKILL");
  await api.exited;
});
