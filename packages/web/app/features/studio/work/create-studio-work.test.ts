// @vitest-environment jsdom

import { type JobFile, limits } from "@tintype/contract";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createStore } from "../../../lib/store.ts";
import type { Effect } from "../state/effect.ts";
import { ordersOf } from "../state/order.ts";
import type { RunEvent } from "../state/studio-event.ts";
import { initialState } from "../state/studio-state.ts";
import { updateStudio } from "../state/update-studio.ts";
import { heard, jobFile, quality } from "../testing/pictures.ts";
import { createStudioWork } from "./create-studio-work.ts";
import { writeStartAtOnce } from "./start-at-once.ts";

URL.createObjectURL ??= () => "blob:nothing";
URL.revokeObjectURL ??= () => undefined;

beforeEach(() => {
  writeStartAtOnce(undefined, true);
});
afterEach(() => localStorage.clear());

/** A studio whose effects the test performs, with the names of the pictures in each batch. */
function setUp(server: Partial<Api> = {}) {
  const begun: string[][] = [];
  const perform = (effect: Effect) => {
    if (effect.do === "prepare") begun.push(effect.pictures.map(({ name }) => name));
  };
  const store = createStore({ initial: initialState, update: updateStudio, perform });
  const absent = () => Promise.reject(new Error("no server"));
  const api: Api = { call: absent, open: absent, locate: absent, ...server };
  const notify = { error: () => undefined, info: () => undefined };
  const host = {
    outOfCredits: async () => undefined,
    findShortage: async () => undefined,
    creditsUsed: () => undefined,
    signUp: () => undefined,
  };
  const work = createStudioWork({ store, api, notify, host });
  store.dispatch(quality("75"));
  const { read, dispatch } = store;
  const tell = (event: (batch: number) => RunEvent) => dispatch(event(read().batch));
  return {
    begun,
    store,
    addAddresses: work.addAddresses,
    add: (...names: string[]) => work.addFiles(names.map(fileOf)),
    /** Accepts the batch as one job. */
    send() {
      const pictures = read().pictures.filter(({ name }) => begun.at(-1)?.includes(name));
      const rest = { reused: [], orders: ordersOf(read(), pictures), keys: new Map(), shortage: undefined };
      tell((batch) => ({ type: "prepared", batch, ...rest }));
      tell((batch) => ({ type: "part-accepted", batch, jobId: "job-1", idempotencyKey: "key-1" }));
    },
    hear: (file: JobFile) => tell((batch) => heard({ type: "file", file }, { batch })),
    finish: () => tell((batch) => ({ type: "followed", batch })),
  };
}

const fileOf = (name: string) => new File([name], name, { type: "image/png" });
/** Lets pending asynchronous work finish. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

// product: start-at-once
test("all pictures that were added during a batch start together after it", async () => {
  const { add, begun, send, finish } = setUp();
  await add("a.png");
  await expect.poll(() => begun).toEqual([["a.png"]]);
  send();
  await Promise.all([add("b.png"), add("c.png")]);
  await settle();
  expect(begun).toHaveLength(1);
  finish();
  await expect.poll(() => begun).toEqual([["a.png"], ["b.png", "c.png"]]);
});

const linksOn = async () => ({ url_input: true, tier: "guest", limits: limits.guest, usage: { used: 0, limit: 5 } });

test("a link whose request or response was lost on the way is fetched again; one that the server refused is not", async () => {
  let requests = 0;
  const refusal = new ApiProblem({ status: 422, code: "url-unavailable", detail: "It did not answer." });
  const { addAddresses, store } = setUp({
    call: linksOn as unknown as Api["call"], // the only call in this test
    async open(call) {
      if (call !== "POST /upload") throw refusal;
      requests += 1;
      if (requests === 1) throw new ConnectionLost();
      if (requests === 2)
        return new Response(new ReadableStream({ start: (body) => body.error(new TypeError("broken")) }));
      if (requests === 3) throw refusal;
      return new Response("bytes", { headers: { "content-type": "image/png" } });
    },
  });
  await addAddresses(["https://example.com/a.png"]);
  await expect.poll(() => store.read().pictures[0]?.fault).toBe("a.png: It did not answer.");
  await addAddresses(["https://example.com/b.png"]);
  await expect.poll(() => store.read().pictures[1]?.file?.size).toBe(5);
  expect(requests).toBe(4);
});

test("pictures that are still being fetched start once they are here", async () => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const { add, addAddresses, begun, store } = setUp({
    call: linksOn as unknown as Api["call"], // the only call in this test
    async open() {
      await held;
      return new Response("bytes", { headers: { "content-type": "image/png" } });
    },
  });
  await Promise.all([add("a.png"), addAddresses(["https://example.com/b.png"])]);
  await settle();
  expect(store.read().pictures).toHaveLength(2);
  expect(begun).toEqual([]);
  letGo();
  await expect.poll(() => begun).toEqual([["a.png", "b.png"]]);
});

test("switched off during a batch, nothing starts after it", async () => {
  const { add, begun, send, finish, store } = setUp();
  await add("a.png");
  await expect.poll(() => begun).toHaveLength(1);
  send();
  await add("b.png");
  writeStartAtOnce(undefined, false);
  finish();
  await settle();
  expect(begun).toHaveLength(1);
  // Switched on again, the setting applies only to pictures added from then on.
  writeStartAtOnce(undefined, true);
  store.dispatch({ type: "refusals-read" });
  await settle();
  expect(begun).toHaveLength(1);
});

test("pictures do not start with a tool or options that were chosen after they were added", async () => {
  const { add, begun, send, finish, store } = setUp();
  await add("a.png");
  await expect.poll(() => begun).toHaveLength(1);
  send();
  await add("b.png");
  store.dispatch(quality("30"));
  await add("c.png");
  finish();
  await expect.poll(() => begun).toEqual([["a.png"], ["c.png"]]);
  send();
  await add("d.png");
  store.dispatch({ type: "tool-chosen", tool: "upscale" });
  finish();
  await settle();
  expect(begun).toHaveLength(2);
});

test("pictures do not start where another tool is chosen while they are read", async () => {
  const { add, begun, store } = setUp();
  const adding = add("a.png");
  store.dispatch({ type: "tool-chosen", tool: "upscale" });
  await adding;
  await settle();
  expect(store.read().pictures).toHaveLength(1);
  expect(begun).toEqual([]);
});

test("what waits for a cancelled batch stays, and what is added after it starts", async () => {
  const { add, begun, send, store } = setUp();
  await add("a.png");
  await expect.poll(() => begun).toHaveLength(1);
  send();
  await add("b.png");
  store.dispatch({ type: "cancelled" });
  await settle();
  expect(begun).toHaveLength(1);
  void add("c.png");
  await expect.poll(() => begun).toEqual([["a.png"], ["c.png"]]);
});

test("of two additions in one moment each picture is sent once, also one that is then cancelled alone", async () => {
  const { add, begun, send, hear, finish } = setUp();
  void add("a.png", "b.png");
  void add("c.png");
  await expect.poll(() => begun).toEqual([["a.png", "b.png", "c.png"]]);
  send();
  await settle();
  hear(jobFile(1, { state: "cancelled" }));
  finish();
  await settle();
  expect(begun).toHaveLength(1);
});
