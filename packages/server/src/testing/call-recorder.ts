// Loaded into a process of the service before anything else (`--import`): records its statements, file calls, messages
// to engines and responses, and sends them with its CPU time to the parent process on request.
import processes, { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import files from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";

export type RecordedEvent = {
  kind: "statement" | "file" | "engine" | "http";
  /** A statement's text, a file call's name, an engine message's type, `request` or `response`. */
  name: string;
  /** ms since 1970, comparable between processes of one machine. */
  start: number;
  end: number;
};
export type Recording = {
  events: RecordedEvent[];
  /** CPU time of the process, all threads, since the last recording, ms; of that, in PGlite. */
  cpuMs: number;
  databaseMs: number;
};

let events: RecordedEvent[] = [];
let databaseMs = 0;
let before = process.cpuUsage();

const now = () => performance.timeOrigin + performance.now();
const note = (kind: RecordedEvent["kind"], name: string, start = now()) =>
  void events.push({ kind, name, start, end: now() });

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** Replaces a method by one that calls `around` with the original. */
function wrap(owner: object, name: string, around: (call: () => unknown, values: unknown[]) => unknown): void {
  const methods = owner as Record<string, Method>; // the callers below name methods
  const original = methods[name];
  methods[name] = function wrapped(...values) {
    return around(() => original?.apply(this, values), values);
  };
}

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

wrap(pg.Client.prototype, "query", (call, values) => {
  const [query] = values;
  const text = typeof query === "string" ? query : (query as { text: string }).text;
  const start = now();
  const done = values.at(-1);
  // A pool passes a callback.
  if (typeof done === "function")
    values[values.length - 1] = (...answer: unknown[]) => {
      note("statement", text, start);
      done(...answer);
    };
  const answer = call();
  if (isPromise(answer))
    answer.then(
      () => note("statement", text, start),
      () => {},
    );
  return answer;
});
wrap(PGlite.prototype, "execProtocolRawSync", (call) => {
  const start = process.threadCpuUsage();
  try {
    return call();
  } finally {
    const { user, system } = process.threadCpuUsage(start);
    databaseMs += (user + system) / 1000;
  }
});
for (const [name, method] of Object.entries(files.promises))
  if (typeof method === "function")
    wrap(files.promises, name, (call) => {
      const start = now();
      const answer = call();
      if (isPromise(answer)) void answer.finally(() => note("file", name, start)).catch(() => {});
      return answer;
    });
/** Streams use these, with callbacks. */
for (const name of ["open", "read", "write", "writev", "close"])
  wrap(files, name, (call) => {
    note("file", name);
    return call();
  });
wrap(processes, "spawn", (call) => {
  const child = call() as ChildProcess; // what spawn returns
  if (child.connected)
    wrap(child, "send", (send, [message]) => {
      note("engine", (message as { type?: string }).type ?? "");
      return send();
    });
  return child;
});
syncBuiltinESMExports();
wrap(ChildProcess.prototype, "emit", (call, [event, message]) => {
  if (event === "message") note("engine", (message as { type?: string }).type ?? "");
  return call();
});
subscribe("http.server.request.start", () => note("http", "request"));
subscribe("http.server.response.finish", () => note("http", "response"));

process.on("message", () => {
  const { user, system } = process.cpuUsage(before);
  process.send?.({ events, cpuMs: (user + system) / 1000, databaseMs } satisfies Recording);
  before = process.cpuUsage();
  events = [];
  databaseMs = 0;
});
// It must not keep the process alive.
process.channel?.unref();
