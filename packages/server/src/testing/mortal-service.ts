// The service, which dies on the way of a request whose header says when. Used by killable-service.ts.
//
// x-die-at-step: N         before the Nth step of the request. Each query, and each time it touches the disk on the request's
//                          behalf, is a step.
// x-die-after-change: N    right after the Nth change that outlives the service: a commit, or a statement outside a transaction,
//                          that touched a row. Between two of them it makes no difference when it dies, and so 1, 2, 3...
//                          are all the deaths there are. Requests with this header count together, and so does what they
//                          bring about: requests of the service to itself (the payment sandbox and its webhooks), and the sweeps
//                          after it.
//
// Sweeps come each second here, which is sooner than in the service.
import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { type ComposeOptions, compose, type Service } from "../composition/compose.ts";
import { readConfig } from "../config.ts";
import { fileClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";

type KillAfter = { counts: "steps" | "changes"; left: number };
type Life = {
  isOver: boolean;
  connections: Set<pg.Client>;
  /** Of all requests that count changes. */
  killAfter?: KillAfter;
  end(): void;
};
/** Whatever a service does, from its start on. Code outside one, such as a test, runs as if nothing here existed. */
const lives = new AsyncLocalStorage<Life>();
const request = new AsyncLocalStorage<KillAfter>();
const never = () => new Promise<never>(() => {});

const countDown = (killAfter: KillAfter | undefined, what: KillAfter["counts"]) => {
  if (killAfter?.counts === what && --killAfter.left === 0) lives.getStore()?.end();
};
const step = () => countDown(request.getStore(), "steps");

type Transaction = { isOpen: boolean; hasWritten: boolean };
const transactions = new WeakMap<pg.Client, Transaction>();

/** The callback is for the end of the query that begins now. */
function watchChange(client: pg.Client, statement: string): (rowCount: number | null) => void {
  const killAfter = request.getStore();
  const transaction = transactions.get(client) ?? { isOpen: false, hasWritten: false };
  transactions.set(client, transaction);
  const [verb = ""] = statement.trim().toLowerCase().split(/\s/, 1);
  const isWrite = /\b(insert|update|delete)\b/i.test(statement.replace(/\bfor (no key )?update\b/gi, ""));
  return (rowCount) => {
    if (verb === "begin") Object.assign(transaction, { isOpen: true, hasWritten: false });
    else if (verb === "commit" || verb === "rollback") {
      transaction.isOpen = false;
      if (verb === "commit" && transaction.hasWritten) countDown(killAfter, "changes");
    } else if (isWrite && rowCount) {
      if (transaction.isOpen) transaction.hasWritten = true;
      else countDown(killAfter, "changes");
    }
  };
}

const { query, connect } = pg.Client.prototype;
pg.Client.prototype.connect = function (this: pg.Client, ...rest: unknown[]) {
  const life = lives.getStore();
  if (life?.isOver) return never();
  life?.connections.add(this);
  return Reflect.apply(connect, this, rest);
} as typeof connect; // the same function, which remembers the connection
pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
  const life = lives.getStore();
  if (!life) return Reflect.apply(query, this, rest);
  step();
  if (life.isOver) return never();
  const [first] = rest;
  const onEnd = watchChange(this, typeof first === "string" ? first : String((first as { text?: string }).text)); // a text, or an object with one
  const callback = rest.at(-1);
  if (typeof callback === "function")
    rest[rest.length - 1] = (problem: unknown, result: pg.QueryResult | undefined) => {
      if (!problem) onEnd(result?.rowCount ?? null);
      if (!life.isOver) callback(problem, result);
    };
  const answer: unknown = Reflect.apply(query, this, rest);
  if (!(answer instanceof Promise)) return answer;
  return answer.then(
    (result: pg.QueryResult) => {
      onEnd(result.rowCount);
      return life.isOver ? never() : result;
    },
    (problem) => (life.isOver ? never() : Promise.reject(problem)),
  );
} as typeof query; // the same function with a count around it
for (const name of ["rm", "mkdir"] as const) {
  const original = fs[name] as (...rest: unknown[]) => Promise<unknown>; // called with what it was called with
  Object.assign(fs, {
    [name]: (...rest: unknown[]) => {
      step();
      return lives.getStore()?.isOver ? never() : original(...rest);
    },
  });
}
syncBuiltinESMExports();

const ask = globalThis.fetch;
globalThis.fetch = (url, init) => {
  if (lives.getStore()?.isOver) return never();
  if (request.getStore()?.counts !== "changes") return ask(url, init);
  const headers = new Headers(init?.headers);
  headers.set("x-die-after-change", "as begun");
  return ask(url, { ...init, headers });
};
const sweepIntervalMs = 1_000;
const repeat = globalThis.setInterval;
globalThis.setInterval = ((...timer: Parameters<typeof repeat>) => {
  const life = lives.getStore();
  if (!life) return repeat(...timer);
  const [work, ms = 0] = timer as [() => void, number?]; // the service repeats nothing with arguments
  const workAlive = () => {
    if (!life.isOver) work();
  };
  // Anything repeated more often is no sweep: the renewal of a lease, say.
  return ms <= sweepIntervalMs
    ? repeat(workAlive, ms)
    : repeat(() => (life.killAfter ? request.run(life.killAfter, workAlive) : workAlive()), sweepIntervalMs);
}) as typeof setInterval; // without its other types of work

export type MortalService = { baseUrl: string; exited: Promise<void>; isOver(): boolean; end(): void };

/**
 * Starts it in this process. It ends as a killed process does: from one moment on it changes nothing any more, its connections are cut,
 * and its open transactions are rolled back. `kill` ends it in another way.
 */
export async function startMortalService({
  environment,
  openEngines,
  kill,
}: {
  environment: Record<string, string | undefined>;
  openEngines?: ComposeOptions["openEngines"];
  kill?: () => void;
}): Promise<MortalService> {
  const exited = Promise.withResolvers<void>();
  let service: Service | undefined;
  const life: Life = {
    isOver: false,
    connections: new Set(),
    end() {
      kill?.();
      life.isOver = true;
      for (const connection of life.connections) {
        connection.on("error", () => {});
        connection.connection.stream.destroy();
      }
      service?.app.server.close();
      service?.app.server.closeAllConnections();
      exited.resolve();
    },
  };
  const { app, sweep } = await lives.run(life, async () => {
    const config = readConfig(environment);
    const clock = fileClock(join(config.dataFolder, "clock-offset-ms"));
    service = await compose({
      config,
      logger: createLog("silent"),
      clock,
      ...(openEngines ? { openEngines } : {}),
    });
    return service;
  });
  app.addHook("onRequest", (incoming, _reply, done) => {
    const { "x-die-at-step": steps, "x-die-after-change": changes } = incoming.headers;
    if (steps !== undefined) request.run({ counts: "steps", left: Number(steps) }, done);
    else if (changes === undefined) done();
    else if (life.killAfter) request.run(life.killAfter, done);
    else {
      const begin = () => {
        life.killAfter ??= { counts: "changes", left: Number(changes) };
        request.run(life.killAfter, done);
      };
      // First do what earlier requests left to sweeps: it is not counted.
      sweep().then(begin, begin);
    }
  });
  await lives.run(life, () => app.listen({ port: 0, host: "127.0.0.1" }));
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    exited: exited.promise,
    isOver: () => life.isOver,
    end: life.end,
  };
}
