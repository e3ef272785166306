// @vitest-environment jsdom

import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test, vi } from "vitest";
import type { PlannedBatch } from "../../../lib/credit-shortage.ts";
import { createStore } from "../../../lib/store.ts";
import type { Effect } from "../state/effect.ts";
import { updateStudio } from "../state/update-studio.ts";
import { added, after, idOf, quality } from "../testing/pictures.ts";
import type { ResultCache } from "./cache/create-result-cache.ts";
import { createPerformer } from "./perform.ts";
import type { StudioHost } from "./studio-parts.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const absent = () => Promise.reject(new ConnectionLost(new TypeError("no server")));

/** Ten earlier and three new pictures without stored results. Sends, and follows unless `doesFollow`, are only recorded. */
function setUp(
  findShortage: StudioHost["findShortage"],
  { open = absent, doesFollow = false }: Partial<Pick<Api, "open">> & { doesFollow?: boolean } = {},
) {
  const earlier = Array.from({ length: 10 }, (_, index) => `earlier-${index}`);
  const initial = after([added(...earlier), quality("75"), added("x", "y", "z")]);
  const sent: string[][] = [];
  const did: Array<Effect["do"]> = [];
  const refused: Array<Parameters<StudioHost["outOfCredits"]>[0]> = [];
  const store = createStore({
    initial,
    update: updateStudio,
    perform(effect: Effect) {
      did.push(effect.do);
      if (effect.do === "send") sent.push(effect.files.map(({ name }) => name));
      else if (doesFollow || effect.do !== "follow") perform(effect);
    },
  });
  const api: Api = { call: absent, open, locate: absent };
  const nothing = () => undefined;
  const notify = { error: nothing, info: nothing };
  const outOfCredits: StudioHost["outOfCredits"] = async (one) => void refused.push(one);
  const host = { outOfCredits, findShortage, creditsUsed: nothing, signUp: nothing };
  const later = async () => undefined;
  const cache: ResultCache = {
    keysOf: async () => new Map(),
    findResults: async () => [],
    putBatch: later,
    findBatch: later,
    deleteBatch: later,
    refreshRecent: later,
    saveRecent: later,
    thumbOf: later,
    clearRecent: later,
  };
  const remembered = { list: () => [], add: nothing, remove: nothing };
  const perform = createPerformer({ store, api, notify, host }, { cache, remembered, releases: new Map() });
  return { ...store, sent, did, refused };
}

const some = new Set(["x", "y", "z"].map(idOf));
const signedIn = { type: "caller-known", caller: { id: "ann", tier: "hobby" } } as const;

test("after a shortage, as many as the credits suffice for are taken from the pictures that were short", async () => {
  const { dispatch, read, sent } = setUp(async ({ pictureCount }) =>
    pictureCount > 2 ? { sentence: "2 credits left.", left: 2 } : undefined,
  );
  dispatch({ type: "submitted", ids: some });
  await expect.poll(() => read().obstacle?.sentence).toBe("2 credits left.");
  const remedy = read().obstacle?.remedies?.find((one) => one.kind === "send");
  if (!remedy) throw new Error("Nothing was offered");
  expect(remedy.label).toBe("Run 2 of 3");
  dispatch({ type: "submitted", count: remedy.count, ids: remedy.ids });
  await expect.poll(() => sent).toEqual([["x", "y"]]);
});

test("a batch that was held back runs in part, or after the sign-up whole, and takes no other pictures with it", async () => {
  const held: PlannedBatch[] = [];
  const hold = async (wanted: PlannedBatch) => (held.push(wanted) === 1 ? ("shown" as const) : undefined);
  const inPart = setUp(hold);
  inPart.dispatch({ type: "submitted", ids: some });
  await expect.poll(() => held).toHaveLength(1);
  await expect.poll(() => inPart.read().isPreparing).toBe(false);
  held[0]?.run(2);
  await expect.poll(() => inPart.sent).toEqual([["x", "y"]]);

  held.length = 0;
  const whole = setUp(hold);
  whole.dispatch({ type: "submitted", ids: some });
  await expect.poll(() => held).toHaveLength(1);
  await expect.poll(() => whole.read().isPreparing).toBe(false);
  held[0]?.runSignedIn();
  expect(whole.read().isPreparing).toBe(false);
  whole.dispatch(signedIn);
  await expect.poll(() => whole.sent).toEqual([["x", "y", "z"]]);
});

test("a batch that the server refused for want of credits runs after the sign-up, and no other pictures with it", async () => {
  const { dispatch, sent, refused, read } = setUp(async () => undefined);
  dispatch({ type: "submitted", ids: some });
  await expect.poll(() => sent).toHaveLength(1);
  const refusal = { sentence: "No credits.", code: "out-of-credits", status: 402, reference: undefined };
  dispatch({ type: "part-refused", batch: read().batch, refusal });
  await expect.poll(() => refused).toHaveLength(1);
  expect(refused[0]?.pictureCount).toBe(3);
  dispatch(signedIn);
  refused[0]?.runSignedIn();
  await expect.poll(() => sent.slice(1)).toEqual([["x", "y", "z"]]);
});

test("a batch whose server could not be reached goes on by itself, once, when the server is back", async () => {
  vi.useFakeTimers();
  let isThere = false;
  vi.stubGlobal("fetch", async () => new Response(null, { status: isThere ? 200 : 502 }));
  const { dispatch, read, did } = setUp(async () => undefined);
  const follows = () => did.filter((name) => name === "follow").length;
  dispatch({ type: "submitted", ids: some });
  await vi.advanceTimersByTimeAsync(0);
  const { batch } = read();
  dispatch({ type: "part-accepted", batch, jobId: "job-1", idempotencyKey: "key-1" });
  dispatch({ type: "connection-lost", batch });
  // A manual retry fails, and the connection is lost again.
  dispatch({ type: "reconnected" });
  dispatch({ type: "connection-lost", batch });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read().run).toMatchObject({ link: "lost" });
  expect(follows()).toBe(2);
  isThere = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read().run).toMatchObject({ link: "reconnecting" });
  expect(follows()).toBe(3);

  dispatch({ type: "connection-lost", batch });
  dispatch({ type: "cancelled" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(follows()).toBe(3);
});

test("a batch whose proxy answers for a server that restarts is waited for, and not while somebody else is signed in", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", async () => new Response());
  let asked = 0;
  const open = async () => {
    asked += 1;
    throw new ApiProblem({ status: 502, code: undefined, detail: "Bad gateway." });
  };
  const { dispatch, read, did } = setUp(async () => undefined, { open, doesFollow: true });
  dispatch(signedIn);
  dispatch({ type: "submitted", ids: some });
  await vi.advanceTimersByTimeAsync(0);
  dispatch({ type: "part-accepted", batch: read().batch, jobId: "job-1", idempotencyKey: "key-1" });
  for (let seconds = 0; seconds < 120 && did.at(-1) !== "await-server"; seconds += 1)
    await vi.advanceTimersByTimeAsync(1000);
  expect(read().run).toMatchObject({ link: "lost" });
  expect(read().obstacle).toBeUndefined();

  dispatch({ type: "caller-known", caller: undefined });
  const before = asked;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(before);
  dispatch(signedIn);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBeGreaterThan(before);
});
