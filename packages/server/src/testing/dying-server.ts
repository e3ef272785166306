// The service, in a process that kills itself on the way of a request whose header says when. Started by killable-service.ts;
// loads its code, begins when its input ends, and prints its address when it listens.
//
// x-die-at-step: N         before the Nth step of the request. Each query, and each time it touches the disk on the request's
//                          behalf, is a step.
// x-die-after-change: N    right after the Nth change that outlives the process: a commit, or a statement outside a transaction,
//                          that touched a row. Between two of them it makes no difference when the process dies, and so 1, 2, 3...
//                          are all the deaths there are. Requests with this header count together, and so does what they
//                          bring about: requests of the service to itself (the payment sandbox and its webhooks), and the sweeps
//                          after it.
//
// Sweeps come each second here, which is sooner than in the service.
import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs/promises";
import { flushCompileCache, syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import pg from "pg";
import { compose } from "../composition/compose.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/log.ts";

type KillAfter = { counts: "steps" | "changes"; left: number };
const request = new AsyncLocalStorage<KillAfter>();
const countDown = (killAfter: KillAfter | undefined, what: KillAfter["counts"]) => {
  if (killAfter?.counts === what && --killAfter.left === 0) process.kill(process.pid, "SIGKILL");
};
const step = () => countDown(request.getStore(), "steps");
let sharedKillAfter: KillAfter | undefined;

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

const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
  step();
  const [first] = rest;
  const onEnd = watchChange(this, typeof first === "string" ? first : String((first as { text?: string }).text)); // a text, or an object with one
  const callback = rest.at(-1);
  if (typeof callback === "function")
    rest[rest.length - 1] = (problem: unknown, result: pg.QueryResult | undefined) => {
      if (!problem) onEnd(result?.rowCount ?? null);
      callback(problem, result);
    };
  const answer: unknown = Reflect.apply(query, this, rest);
  if (!(answer instanceof Promise)) return answer;
  return answer.then((result: pg.QueryResult) => {
    onEnd(result.rowCount);
    return result;
  });
} as typeof query; // the same function with a count around it
for (const name of ["rm", "mkdir"] as const) {
  const original = fs[name] as (...rest: unknown[]) => Promise<unknown>; // called with what it was called with
  Object.assign(fs, {
    [name]: (...rest: unknown[]) => {
      step();
      return original(...rest);
    },
  });
}
syncBuiltinESMExports();

const ask = globalThis.fetch;
globalThis.fetch = (url, init) => {
  if (request.getStore()?.counts !== "changes") return ask(url, init);
  const headers = new Headers(init?.headers);
  headers.set("x-die-after-change", "as begun");
  return ask(url, { ...init, headers });
};
const sweepIntervalMs = 1_000;
const repeat = globalThis.setInterval;
globalThis.setInterval = ((work: () => void, ms: number) =>
  // Anything repeated more often is no sweep: the renewal of a lease, say.
  ms <= sweepIntervalMs
    ? repeat(work, ms)
    : repeat(
        () => (sharedKillAfter ? request.run(sharedKillAfter, work) : work()),
        sweepIntervalMs,
      )) as typeof setInterval; // the service repeats nothing with arguments

// A process that is killed writes nothing at its end.
flushCompileCache();
await text(process.stdin);
const config = readConfig(process.env);
const service = await compose({ config, logger: createLog("silent") });
service.app.addHook("onRequest", (incoming, _reply, done) => {
  const { "x-die-at-step": steps, "x-die-after-change": changes } = incoming.headers;
  if (steps !== undefined) request.run({ counts: "steps", left: Number(steps) }, done);
  else if (changes === undefined) done();
  else if (sharedKillAfter) request.run(sharedKillAfter, done);
  else {
    const begin = () => {
      sharedKillAfter ??= { counts: "changes", left: Number(changes) };
      request.run(sharedKillAfter, done);
    };
    // First do what earlier requests left to sweeps: it is not counted.
    service.sweep().then(begin, begin);
  }
});
await service.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = service.app.server.address() as AddressInfo; // a TCP server has one
process.stdout.write(`http://127.0.0.1:${port}\n`);
