import { MessageChannel } from "node:worker_threads";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createWorkerCall } from "./worker-call.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.stubGlobal("MessageChannel", MessageChannel);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const file = new Blob(["four"]);

/** Fake workers that answer with the file's size, or with `answer`. */
function workers(
  answer: (worker: Worker, file: Blob, port: MessagePort) => void = (_, { size }, port) => port.postMessage(size),
) {
  const started: Array<{ isOver: boolean }> = [];
  const start = () => {
    const own = { isOver: false };
    started.push(own);
    const worker = {
      onerror: null,
      terminate: () => {
        own.isOver = true;
      },
      postMessage: (asked: Blob, [port]: [MessagePort]) => answer(worker as unknown as Worker, asked, port),
    };
    return worker as unknown as Worker; // only these members are used
  };
  return { started, start };
}

test("one worker answers all files, ends once it has had nothing to do, and another begins with the next file", async () => {
  const { started, start } = workers();
  const ask = createWorkerCall<Blob, number>(start);
  expect(await Promise.all([ask(file), ask(new Blob())])).toEqual([4, 0]);
  expect(started).toEqual([{ isOver: false }]);
  vi.advanceTimersByTime(4_000);
  expect(await ask(file)).toBe(4);
  vi.advanceTimersByTime(4_000);
  expect(started).toEqual([{ isOver: false }]);
  vi.advanceTimersByTime(1_000);
  expect(started).toEqual([{ isOver: true }]);
  expect(await ask(file)).toBe(4);
  expect(started).toHaveLength(2);
});

test("a worker whose code does not come is given up, and one that has answered may take its time", async () => {
  const silent = workers(() => {});
  const askSilent = createWorkerCall<Blob, number>(silent.start);
  const asked = askSilent(file);
  vi.advanceTimersByTime(15_000);
  expect(await asked).toBeUndefined();
  expect(silent.started).toEqual([{ isOver: true }]);
  // For a minute, further pictures do not wait for a worker.
  expect(await askSilent(file)).toBeUndefined();
  expect(silent.started).toHaveLength(1);
  vi.advanceTimersByTime(60_000);
  void askSilent(file);
  expect(silent.started).toHaveLength(2);

  const ports: MessagePort[] = [];
  const slow = workers((_, __, port) => ports.push(port));
  const ask = createWorkerCall<Blob, number>(slow.start);
  const [first, second] = [ask(file), ask(file)];
  ports[0]?.postMessage(1);
  expect(await first).toBe(1);
  vi.advanceTimersByTime(60_000);
  ports[1]?.postMessage(2);
  expect(await second).toBe(2);
});

test("a worker that breaks, and a browser without workers, leave no file without an answer", async () => {
  const { start } = workers((worker) => worker.onerror?.({} as ErrorEvent));
  const ask = createWorkerCall<Blob, number>(start);
  expect(await Promise.all([ask(file), ask(file)])).toEqual([undefined, undefined]);
  const none = createWorkerCall<Blob, number>(() => {
    throw new ReferenceError("Worker is not defined");
  });
  expect(await none(file)).toBeUndefined();
});
