import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanName } from "@tintype/contract";
import { eq } from "drizzle-orm";
import type { JWTPayload } from "jose";
import { compose, type Service } from "../composition/compose.ts";
import { readConfig } from "../config.ts";
import { accounts } from "../features/accounts/tables.ts";
import type { Clock } from "../platform/clock.ts";
import type { PglitePlace } from "../platform/db/pglite.ts";
import { createLog } from "../platform/log.ts";
import { openAppBackends } from "./backends.ts";
import { startIssuer, testEnvironment } from "./issuer.ts";
import { createTestEngines, type TestEngines } from "./test-engines.ts";

/** A frozen clock that only tests advance. */
export function heldClock(start = new Date("2026-03-10T12:00:00Z")): Clock & { advance(ms: number): void } {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms;
    },
  };
}

export type TestApp = Service & {
  baseUrl: string;
  dataFolder: string;
  /** A caller of the API, as a guest or a person; keeps cookies. */
  caller(token?: string): TestCaller;
  /** A new person with a valid token. `claims` override the defaults. */
  person(plan?: PlanName, claims?: JWTPayload): Promise<TestCaller & { subject: string; token: string }>;
  /** Holds files in work: see `TestEngines`. Not of `hasEngineProcesses`. */
  whileEnginesAreHeld: TestEngines["whileHeld"];
  /** Ends rate windows. Redis uses its own time, which no test can move; those in memory follow `clock`. */
  endRateWindows(): Promise<void>;
};

export type TestCaller = {
  call(
    path: string,
    options?: {
      method?: string;
      json?: unknown;
      /** A raw body, for JSON that no serializer would produce. */
      text?: string;
      form?: FormData;
      headers?: Record<string, string>;
      signal?: AbortSignal;
    },
  ): Promise<Response>;
  run(
    task: string,
    files: TestFile[],
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
};
export type TestFile = { name: string; bytes: Uint8Array };

export type TestOptions = {
  clock?: Clock;
  environment?: Record<string, string>;
  /** A data folder to restart on, which is then kept afterwards. */
  dataFolder?: string;
  /** Whether its database is in that folder too. */
  keepsDatabase?: boolean;
  /** Whether the engines are processes in their sandbox, as in production. Otherwise they are in the test's process. */
  hasEngineProcesses?: boolean;
  /** Receives each log line of the service, from `debug` up. */
  onLogLine?: (line: string) => void;
};

/** The whole service on a free port, on real adapters: PGlite (or PostgreSQL and Redis) and local blobs. */
export async function startTestApp({
  clock = heldClock(),
  environment = {},
  ...options
}: TestOptions = {}): Promise<TestApp> {
  const engines = createTestEngines();
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), "tintype-test-"));
  const issuer = await startIssuer();
  const backends = await openAppBackends(options.keepsDatabase === false ? undefined : options.dataFolder);
  const closeOwn = async () => {
    await issuer.close();
    await backends?.close();
    if (options.dataFolder === undefined) rmSync(dataFolder, { recursive: true, force: true });
  };
  const start = async () => {
    const config = readConfig({
      TINTYPE_DATA: dataFolder,
      ...testEnvironment(issuer),
      TINTYPE_LOG_LEVEL: "silent",
      RATE_LIMIT_PER_MINUTE: "100000",
      ...backends?.environment,
      ...environment,
    });
    return compose({
      config,
      logger: options.onLogLine
        ? createLog("debug", { write: options.onLogLine })
        : createLog(config.TINTYPE_LOG_LEVEL),
      clock,
      ...(options.hasEngineProcesses ? {} : { openEngines: engines.open }),
      ...(options.dataFolder === undefined || options.keepsDatabase === false ? { database: snapshot() } : {}),
    });
  };
  const service = await start().catch(async (problem: unknown) => {
    await closeOwn();
    throw problem;
  });
  await service.app.listen({ port: 0, host: "127.0.0.1" });
  const baseUrl = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`; // a TCP server has one
  const caller = (token?: string) => createCaller(baseUrl, token);
  return {
    ...service,
    baseUrl,
    dataFolder,
    caller,
    async person(plan = "hobby", claims = {}) {
      const subject = randomUUID();
      const token = await issuer.token(subject, claims);
      const made = { ...caller(token), subject, token };
      await made.call("/api/user-info");
      if (plan !== "hobby")
        await service.db.update(accounts).set({ paidPlan: plan }).where(eq(accounts.subject, subject));
      return made;
    },
    whileEnginesAreHeld: engines.whileHeld,
    endRateWindows: async () => backends?.emptyRedis(),
    async close(how) {
      await service.close(how);
      await closeOwn();
    },
  };
}

let migrated: Blob | undefined;

/** The migrated database that the test run created at its start. */
export function snapshot(): PglitePlace {
  const path = process.env["TINTYPE_TEST_SNAPSHOT"];
  if (path) migrated ??= new Blob([readFileSync(path)]);
  return migrated ? { copyOf: migrated } : {};
}

/** Calls a server like a browser, and keeps its cookies. */
export function createCaller(baseUrl: string, token?: string): TestCaller {
  const cookies = new Map<string, string>();
  const call: TestCaller["call"] = async (path, { method, json, text, form, headers = {}, signal } = {}) => {
    const answer = await fetch(baseUrl + path, {
      method: method ?? (json === undefined && form === undefined ? "GET" : "POST"),
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(cookies.size > 0 ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") } : {}),
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(text === undefined ? {} : { body: text }),
      ...(form ? { body: form } : {}),
      ...(signal ? { signal } : {}),
      redirect: "manual",
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      cookies.set(name, value);
    }
    return answer;
  };
  return {
    call,
    run(task, files, fields = {}, headers = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      for (const { name, bytes } of files) form.append("files", new Blob([new Uint8Array(bytes)]), name);
      return call(`/api/${task}/`, { form, headers });
    },
  };
}
