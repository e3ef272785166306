// @vitest-environment jsdom

import type { JobFile } from "@tintype/contract";
import { type Api, ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "../../../lib/store.ts";
import type { Outcome } from "../state/picture.ts";
import { picturesToSend } from "../state/to-send.ts";
import { updateStudio } from "../state/update-studio.ts";
import { finished, idOf, jobFile, quality } from "../testing/pictures.ts";
import { createHeldResults, shouldHold } from "./held-results.ts";

URL.createObjectURL ??= () => "blob:nothing";
URL.revokeObjectURL ??= () => undefined;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minuteMs = 60_000;
const kinds = ({ pictures }: { pictures: readonly { outcome: Outcome }[] }) =>
  pictures.map(({ outcome }) => outcome.kind);

/** A finished batch of two pictures; the first result is held. */
function setUp(api: Partial<Api>) {
  const forgotten: string[] = [];
  const errors: string[] = [];
  const told: string[] = [];
  const absent = () => Promise.reject(new Error("not asked for"));
  const store = createStore({ initial: finished(["a", "b"]), update: updateStudio, perform: () => undefined });
  const notify = {
    error: (sentence: string) => errors.push(sentence),
    info: (sentence: string) => told.push(sentence),
  };
  const host = {
    outOfCredits: async () => undefined,
    findShortage: async () => undefined,
    creditsUsed: () => undefined,
    signUp: () => undefined,
  };
  const held = createHeldResults(
    { store, api: { call: absent, open: absent, locate: absent, ...api }, notify, host },
    { forget: (jobId) => forgotten.push(jobId) },
  );
  store.dispatch({
    type: "outcome-changed",
    id: idOf("a"),
    outcome: {
      kind: "held",
      notes: ["A part is missing."],
      confidence: 0.9,
      candidates: [0.9, 0.8],
      isIncomplete: true,
      held: {
        job: { id: "job-1", index: 0 },
        name: "a_bgremoved.png",
        format: "png",
        sides: { widthPx: 4, heightPx: 3 },
        key: "key",
        thumbsUrl: "blob:thumbs",
        keepAtMs: Date.now() + 12 * minuteMs,
      },
    },
  });
  return { store, held, forgotten, errors, told };
}
const sends = (body: string) => ({ open: () => Promise.resolve(new Response(body)) });

test("a held result is not fetched before it is kept, and is a result like any other then", async () => {
  const { store, held, forgotten } = setUp(sends("picture"));
  expect(kinds(store.read())).toEqual(["held", "done"]);
  // A held picture is not sent again, for a second credit.
  expect(picturesToSend(store.read()).map(({ name }) => name)).not.toEqual(["a"]);
  await held.decideHeld(idOf("a"), "keep");
  expect(store.read().pictures[0]?.outcome).toMatchObject({
    kind: "done",
    isIncomplete: true,
    result: { name: "a_bgremoved.png", key: "key", job: { id: "job-1", index: 0 } },
  });
  expect(forgotten).toEqual(["job-1"]);
});

test("a discarded result gives its credit back, and is not retried", async () => {
  const credits = { charged: 1, remaining: 99, limit: 100 };
  const asked: unknown[] = [];
  const call = ((path: string, { params }: { params: object }) => {
    asked.push(path, params);
    return Promise.resolve({ credits });
  }) as unknown as Api["call"]; // the only call in this test
  const { store, held, forgotten, told } = setUp({ call });
  await Promise.all([held.decideHeld(idOf("a"), "discard"), held.decideHeld(idOf("a"), "discard")]);
  expect(asked).toEqual(["DELETE /jobs/{id}/files/{index}", { id: "job-1", index: 0 }]);
  expect(store.read().pictures[0]?.outcome).toEqual({ kind: "cancelled", isDiscarded: true });
  expect(store.read().credits).toMatchObject({ remaining: 99 });
  expect(told).toEqual(["Discarded. Its credit is back."]);
  expect(forgotten).toEqual(["job-1"]);
});

test("out of reach, a held result stays as it was, and the person is told", async () => {
  const lost = () => Promise.reject(new ConnectionLost(new TypeError("network")));
  const { store, held, errors, forgotten } = setUp({ call: lost as Api["call"] });
  await held.decideHeld(idOf("a"), "discard");
  expect(store.read().pictures[0]?.outcome).toMatchObject({ kind: "held", notes: ["A part is missing."] });
  expect(store.read().pictures[0]?.outcome).not.toHaveProperty("held.doing");
  expect([errors.length, forgotten]).toEqual([1, []]);
});

test("a held result is kept by itself before the server deletes it", async () => {
  const { store } = setUp(sends("picture"));
  await vi.advanceTimersByTimeAsync(12 * minuteMs - 1);
  expect(kinds(store.read())).toEqual(["held", "done"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(kinds(store.read())).toEqual(["done", "done"]);
});

test("a held result behind the picture that another tool works on is kept too, and is there when its tool is chosen again", async () => {
  const { store, forgotten } = setUp(sends("picture"));
  const tool = store.read().run?.tool ?? "resize";
  store.dispatch({ type: "tool-chosen", tool: tool === "convert" ? "compress" : "convert" });
  expect(kinds(store.read())).toEqual(["none", "none"]);
  await vi.advanceTimersByTimeAsync(12 * minuteMs);
  expect(forgotten).toEqual(["job-1"]);
  store.dispatch({ type: "tool-chosen", tool });
  expect(kinds(store.read())).toEqual(["done", "done"]);
});

test("results that become the input take the held one along", async () => {
  const { store, forgotten } = setUp(sends("picture"));
  store.dispatch({ type: "results-adopted" });
  expect(kinds(store.read())).toEqual(["none", "none"]);
  await vi.advanceTimersByTimeAsync(12 * minuteMs);
  expect(forgotten).toEqual(["job-1"]);
  store.dispatch({ type: "originals-chosen" });
  expect(kinds(store.read())).toEqual(["done", "done"]);
});

test("other options do not run over a held result", () => {
  const { store } = setUp({});
  store.dispatch({ type: "selection-changed", ids: new Set([idOf("a")]) });
  store.dispatch(quality("40"));
  store.dispatch({ type: "submitted" });
  expect(store.read().obstacle?.sentence).toBe("Keep or discard the result of a first.");
  expect(kinds(store.read())).toEqual(["held", "done"]);
});

test("a result that was taken or deleted elsewhere says so", async () => {
  const gone = new ApiProblem({ status: 410, code: "discarded", detail: "This result was discarded." });
  const { store, held } = setUp({ open: () => Promise.reject(gone) });
  await held.decideHeld(idOf("a"), "keep");
  expect(store.read().pictures[0]?.outcome).toMatchObject({ kind: "failed", code: "discarded" });
});

test("only a flagged result with thumbnails, which nobody has yet, is held", () => {
  const flagged: Partial<JobFile> = { incomplete: true, candidates: { count: 2, shown: 1, confidences: [0.9, 0.8] } };
  expect(shouldHold(jobFile(0, flagged))).toBe(true);
  expect(shouldHold(jobFile(0, { ...flagged, delivered: true }))).toBe(false);
  expect(shouldHold(jobFile(0, { incomplete: true }))).toBe(false);
  expect(shouldHold(jobFile(0))).toBe(false);
});
