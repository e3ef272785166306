import { expect, test } from "vitest";
import { added, after, idOf, jobFile, picture, result } from "../testing/pictures.ts";
import { canRetry } from "./can-retry.ts";
import { isStale, picturesToSend, runProgress, shownOrder } from "./summary.ts";

const finished = (names: string[], failed: string[] = []) =>
  after([
    added(...names, ...failed),
    { type: "setting-changed", tool: "compress", patch: { quality: "75" } },
    { type: "run-started", ids: [...names, ...failed].map(idOf) },
    { type: "job-accepted", jobId: "j" },
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
  ]);

test("with the same settings only what is not finished is sent again, with others all", () => {
  const state = after([added("new")], finished(["a"], ["b"]));
  expect(picturesToSend(state).map(({ name }) => name)).toEqual(["b", "new"]);
  const changed = after([{ type: "setting-changed", tool: "compress", patch: { quality: "50" } }], state);
  expect(picturesToSend(changed).map(({ name }) => name)).toEqual(["a", "b", "new"]);
});

test("submitting is the next thing to do while there is something new to send", () => {
  expect(isStale(after([]))).toBe(false);
  expect(isStale(after([added("a")]))).toBe(true);
  expect(isStale(finished(["a"]))).toBe(false);
  expect(isStale(after([{ type: "tool-chosen", tool: "resize" }], finished(["a"])))).toBe(true);
  expect(isStale(after([added("b")], finished(["a"])))).toBe(true);
});

test("only what can pass by itself is offered again", () => {
  const failed = (code: string) => picture("a", { outcome: { kind: "failed", reason: "", code } });
  expect(canRetry(failed("engine-failed"))).toBe(true);
  expect(canRetry(failed("broken-image"))).toBe(false);
  expect(canRetry(picture("a", { outcome: { kind: "cancelled" } }))).toBe(true);
  expect(canRetry(picture("a", { outcome: { kind: "cancelled" }, file: undefined }))).toBe(false);
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

test("progress only ever grows through a run", () => {
  const steps = [
    after([added("a"), { type: "run-started", ids: [idOf("a")] }]),
    after([
      added("a"),
      { type: "run-started", ids: [idOf("a")] },
      { type: "upload-progressed", sentBytes: 500, totalBytes: 1000 },
    ]),
    after([added("a"), { type: "run-started", ids: [idOf("a")] }, { type: "job-accepted", jobId: "j" }]),
    finished(["a"]),
  ].map(runProgress);
  expect(steps).toEqual([...steps].sort((one, other) => one - other));
  expect(steps.at(-1)).toBe(1);
});
