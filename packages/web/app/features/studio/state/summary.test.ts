import { expect, test } from "vitest";
import {
  accepted,
  added,
  after,
  arrived,
  finished,
  heard,
  idOf,
  jobFile,
  picture,
  quality,
  result,
  sending,
} from "../testing/pictures.ts";
import { inGroup, sortedBy } from "./grid-view.ts";
import type { Picture } from "./picture.ts";
import { retryable } from "./retryable.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";
import { runProgress, stageProgress } from "./summary.ts";
import { costOf, isStale, picturesToSend } from "./to-send.ts";

test("with the same settings only what is not finished is sent again, with others all", () => {
  const state = after([added("new")], finished(["a"]));
  expect(picturesToSend(state).map(({ name }) => name)).toEqual(["new"]);
  const changed = after([quality("50")], state);
  expect(picturesToSend(changed).map(({ name }) => name)).toEqual(["a", "new"]);
});

test("a damaged file is sent again only where it is all there is", () => {
  const names = (state: StudioState) => picturesToSend(state).map(({ name }) => name);
  expect(names(after([added("new")], finished(["a"], ["damaged"])))).toEqual(["new"]);
  expect(names(finished(["a"], ["damaged"]))).toEqual(["a"]);
  expect(names(finished([], ["damaged"]))).toEqual(["damaged"]);
});

test("while a run is under way its price stays what it was when it was begun", () => {
  const file = jobFile(0, { state: "done" });
  const begun = accepted(["a", "b"]);
  const half = after([heard({ type: "file", file }), arrived("a")], begun);
  expect([begun, half].map(costOf)).toEqual([2, 2]);
});

test("submitting is the next thing to do while there is something new to send", () => {
  expect(isStale(after([]))).toBe(false);
  expect(isStale(after([added("a")]))).toBe(true);
  expect(isStale(finished(["a"]))).toBe(false);
  expect(isStale(after([{ type: "tool-chosen", tool: "resize" }], finished(["a"])))).toBe(true);
  expect(isStale(after([{ type: "frame-changed", id: idOf("a"), frame: { degrees: 90 } }], finished(["a"])))).toBe(
    true,
  );
  expect(isStale(after([added("b")], finished(["a"])))).toBe(true);
  const unreadable: StudioEvent = {
    type: "pictures-added",
    pictures: [picture("b", { fault: "No picture." })],
    refusals: [],
  };
  expect(isStale(after([unreadable], finished(["a"])))).toBe(false);
});

test("only what can pass by itself is offered again, and only of the latest run", () => {
  const offers = (outcome: Picture["outcome"], more: Partial<Picture> = {}) =>
    retryable({ ...finished(["a"]), pictures: [picture("a", { outcome, ...more })] }).length;
  const failed = (code: string) => ({ kind: "failed", reason: "", code }) as const;
  expect(offers(failed("engine-failed"))).toBe(1);
  expect(offers(failed("broken-image"))).toBe(0);
  expect(offers({ kind: "cancelled" })).toBe(1);
  expect(offers({ kind: "cancelled" }, { file: undefined })).toBe(0);
  expect(offers({ kind: "cancelled" }, { id: idOf("of an earlier run") })).toBe(0);
});

test("a result that is here already costs nothing", () => {
  const state = after([added("a", "b")]);
  expect(costOf(state)).toBe(2);
  expect(costOf(after([{ type: "prices-found", found: { knownIds: new Set([idOf("a")]) } }], state))).toBe(1);
});

test("a picture that waits has an empty bar", () => {
  expect(stageProgress(picture("a", { outcome: { kind: "waiting" } }))).toBe(0);
});

test("the order of a batch stays, and sorted by attention the failed and the doubtful come first", () => {
  const cut = (name: string, confidence: number, more = {}) =>
    picture(name, { outcome: { kind: "done", result: result(name), notes: [], confidence, ...more } });
  const failed = picture("failed", { outcome: { kind: "failed", reason: "Damaged.", code: "broken-image" } });
  const pictures = [cut("sure", 0.95), cut("unsure", 0.3), cut("head", 0.98, { isIncomplete: true }), failed];
  const names = (all: readonly Picture[]) => all.map(({ name }) => name);
  expect(sortedBy("added", pictures)).toBe(pictures);
  expect(names(sortedBy("attention", pictures))).toEqual(["failed", "head", "unsure", "sure"]);
  expect(names(sortedBy("size", [picture("s", { sizeBytes: 1 }), picture("l", { sizeBytes: 9 })]))).toEqual(["l", "s"]);
  expect(names(inGroup(pictures, "rest"))).toEqual(["unsure", "head", "failed"]);
});

test("a run's bar fills with the upload, is empty while the batch waits, and fills with the work", () => {
  const progressed = { type: "upload-progressed", batch: 1, sentBytes: 500, totalBytes: 1000 } as const;
  expect([after([progressed], sending(["a"])), accepted(["a"])].map(runProgress)).toEqual([0.5, 0]);
  const worked = (progress: number) => heard({ type: "file", file: jobFile(0, { state: "working", progress }) });
  const grown = [after([worked(0.2)], accepted(["a"])), after([worked(1)], accepted(["a"])), finished(["a"])];
  const bars = grown.map(runProgress);
  expect(bars).toEqual([...bars].sort((one, other) => one - other));
  expect(bars[0]).toBeGreaterThan(0);
  expect(bars.at(-1)).toBe(1);
});
