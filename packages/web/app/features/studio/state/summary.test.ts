import { expect, test } from "vitest";
import { added, after, idOf, jobFile, picture, result, started } from "../testing/pictures.ts";
import type { Picture } from "./picture.ts";
import { retryable } from "./retryable.ts";
import type { Settings } from "./settings.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";
import { runProgress, shownOrder, stageProgress } from "./summary.ts";
import { costOf, isStale, picturesToSend } from "./to-send.ts";

const finished = (names: string[], failed: string[] = []) => {
  const all = [...names, ...failed];
  const ready = after([added(...all), { type: "setting-changed", tool: "compress", patch: { quality: "75" } }]);
  return after(eventsOf(names, failed, ready.settings.compress), ready);
};
const eventsOf = (names: string[], failed: string[], settings: Settings["compress"]): StudioEvent[] => [
  started([...names, ...failed], settings),
  { type: "job-accepted", jobId: "j", ids: [...names, ...failed].map(idOf) },
  ...[...names, ...failed].map(
    (name, index) =>
      ({
        type: "job-heard",
        jobId: "j",
        event: {
          type: "file",
          file: failed.includes(name)
            ? jobFile(index, { state: "failed", reason: "Damaged.", code: "broken-image" })
            : jobFile(index, { state: "done" }),
        },
      }) as const,
  ),
  ...names.map((name) => ({ type: "result-arrived", id: idOf(name), result: result(name) }) as const),
  { type: "run-ended", ending: "done" },
];

test("with the same settings only what is not finished is sent again, with others all", () => {
  const state = after([added("new")], finished(["a"]));
  expect(picturesToSend(state).map(({ name }) => name)).toEqual(["new"]);
  const changed = after([{ type: "setting-changed", tool: "compress", patch: { quality: "50" } }], state);
  expect(picturesToSend(changed).map(({ name }) => name)).toEqual(["a", "new"]);
});

test("a damaged file is sent again only where it is all there is", () => {
  const names = (state: StudioState) => picturesToSend(state).map(({ name }) => name);
  expect(names(after([added("new")], finished(["a"], ["damaged"])))).toEqual(["new"]);
  expect(names(finished(["a"], ["damaged"]))).toEqual(["a"]);
  expect(names(finished([], ["damaged"]))).toEqual(["damaged"]);
});

test("while a run is under way its price stays what it was when it was begun", () => {
  const accepted = after([
    added("a", "b"),
    started(["a", "b"]),
    { type: "job-accepted", jobId: "j", ids: [idOf("a"), idOf("b")] },
  ]);
  const file = jobFile(0, { state: "done" });
  const half = after(
    [
      { type: "job-heard", jobId: "j", event: { type: "file", file } },
      { type: "result-arrived", id: idOf("a"), result: result("a") },
    ],
    accepted,
  );
  expect([accepted, half].map(costOf)).toEqual([2, 2]);
});

test("submitting is the next thing to do while there is something new to send", () => {
  expect(isStale(after([]))).toBe(false);
  expect(isStale(after([added("a")]))).toBe(true);
  expect(isStale(finished(["a"]))).toBe(false);
  expect(isStale(after([{ type: "tool-chosen", tool: "resize" }], finished(["a"])))).toBe(true);
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
  expect(costOf(after([{ type: "known-results-found", ids: new Set([idOf("a")]) }], state))).toBe(1);
});

test("a picture that waits has an empty bar", () => {
  expect(stageProgress(picture("a", { outcome: { kind: "waiting" } }))).toBe(0);
});

test("the doubtful cut-outs of a batch come first once it is over, in other tools the order stays", () => {
  const cut = (name: string, confidence: number) =>
    picture(name, { outcome: { kind: "done", result: result(name), notes: [], confidence } });
  const pictures = [cut("sure", 0.95), cut("unsure", 0.3), cut("fair", 0.7)];
  expect(shownOrder(pictures, "remove-background").map(({ name }) => name)).toEqual(["unsure", "fair", "sure"]);
  expect(shownOrder(pictures, "upscale")).toBe(pictures);
  const busy = [...pictures, picture("busy", { outcome: { kind: "waiting" } })];
  expect(shownOrder(busy, "remove-background")).toBe(busy);
});

test("a run's bar fills with the upload, is empty while the batch waits, and fills with the work", () => {
  const sent = [added("a"), started(["a"]), { type: "upload-progressed", sentBytes: 500, totalBytes: 1000 }] as const;
  const accepted = [...sent, { type: "job-accepted", jobId: "j", ids: [idOf("a")] }] as const;
  const worked = (progress: number) =>
    ({
      type: "job-heard",
      jobId: "j",
      event: { type: "file", file: jobFile(0, { state: "working", progress }) },
    }) as const;
  expect([after(sent), after(accepted)].map(runProgress)).toEqual([0.5, 0]);
  const grown = [after([...accepted, worked(0.2)]), after([...accepted, worked(1)]), finished(["a"])].map(runProgress);
  expect(grown).toEqual([...grown].sort((one, other) => one - other));
  expect(grown[0]).toBeGreaterThan(0);
  expect(grown.at(-1)).toBe(1);
});
