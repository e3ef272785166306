import { expect, test } from "vitest";
import { added, after, idOf, job, jobFile, outcomes, picture, result } from "../testing/pictures.ts";
import { findObstacle } from "./find-obstacle.ts";
import { hasOwn, settingsFor } from "./own-options.ts";
import { partsOf } from "./parts.ts";
import { defaultSettings, type Settings } from "./settings.ts";
import type { StudioEvent } from "./studio-event.ts";
import { isStale, picturesToSend } from "./to-send.ts";

const quality = (text: string): StudioEvent => ({
  ...{ type: "setting-changed", tool: "compress", patch: { quality: text } },
});
const own = (name: string, settings: Settings["compress"] | undefined): StudioEvent => ({
  ...{ type: "own-options-set", id: idOf(name), tool: "compress", settings },
});
const namesOf = (parts: ReturnType<typeof partsOf>) => parts.map(({ pictures }) => pictures.map(({ name }) => name));

test("pictures go in one part for each set of options, and equal options are one part", () => {
  const state = after([
    added("a", "b", "c", "d"),
    quality("75"),
    own("b", { quality: "90" }),
    own("d", { quality: "90" }),
  ]);
  const parts = partsOf(state.pictures, state);
  expect(namesOf(parts)).toEqual([
    ["a", "c"],
    ["b", "d"],
  ]);
  expect(parts.map(({ settings }) => settings.compress.quality)).toEqual(["75", "90"]);
  expect(
    namesOf(partsOf(state.pictures, after([own("b", { quality: "75" }), own("d", undefined)], state))),
  ).toHaveLength(1);
});

test("two background pictures of one name are two parts", () => {
  const ground = (): Settings["remove-background"] => ({ ground: "picture", picture: new File(["x"], "sky.png") });
  const pictures = [picture("a"), picture("b")];
  const settings = { ...defaultSettings, "remove-background": ground() };
  const mine = new Map([[idOf("b"), { "remove-background": ground() }]]);
  expect(partsOf(pictures, { tool: "remove-background", settings, own: mine })).toHaveLength(2);
});

test("own options are one tool's, outlive a change of the form, and share the crop with all", () => {
  const state = after([
    added("a", "b"),
    quality("75"),
    own("b", { quality: "90" }),
    quality("40"),
    { type: "frame-changed", frame: { degrees: 90 } },
  ]);
  expect(settingsFor(state, idOf("b")).compress).toEqual({ quality: "90", frame: { degrees: 90 } });
  expect(settingsFor(state, idOf("a")).compress).toEqual({ quality: "40", frame: { degrees: 90 } });
  const other = after([{ type: "tool-chosen", tool: "upscale" }], state);
  expect(hasOwn(other, idOf("b"))).toBe(false);
  expect(hasOwn(after([own("b", undefined)], state), idOf("b"))).toBe(false);
});

test("a wrong option of one picture stops the submit, by the picture's name", () => {
  const state = after([added("a", "b"), quality("75"), own("b", { quality: "900" })]);
  expect(findObstacle(state)?.sentence).toBe("b: Please enter a valid quality between 1 and 100.");
});

test("a batch of two jobs counts and ends as one: files, credits, place in line", () => {
  const credits = (charged: number, remaining: number) => ({ charged, remaining, limit: 100 });
  const before = after([added("a", "b"), quality("75"), own("b", { quality: "90" })]);
  const { settings, own: mine } = before;
  let state = after(
    [
      {
        ...{ type: "run-started", tool: "compress", settings: settings.compress, own: mine },
        ...{ ids: ["a", "b"].map(idOf), recalledIds: [] },
      },
      { type: "upload-progressed", sentBytes: 1000, totalBytes: 2000 },
      { type: "job-accepted", jobId: "one", ids: [idOf("a")] },
    ],
    before,
  );
  expect(state.run?.phase).toBe("sending");
  state = after(
    [
      { type: "upload-progressed", sentBytes: 1500, totalBytes: 2000 },
      { type: "job-accepted", jobId: "two", ids: [idOf("b")] },
    ],
    state,
  );
  expect(outcomes(state)).toEqual(["waiting", "waiting"]);
  const snapshot = (jobId: string, position: number, told = credits(1, 50)): StudioEvent => ({
    ...{ type: "job-heard", jobId },
    event: { type: "snapshot", job: job([jobFile(0)], { id: jobId, state: "queued", position, credits: told }) },
  });
  state = after([snapshot("one", 4), snapshot("two", 2, credits(1, 49))], state);
  expect(state.run).toMatchObject({ phase: "working", position: 2 });
  const done = (jobId: string, name: string): StudioEvent[] => [
    { type: "job-heard", jobId, event: { type: "file", file: jobFile(0, { state: "done", progress: 1 }) } },
    { type: "job-heard", jobId, event: { type: "job", state: "done" } },
    { type: "result-arrived", id: idOf(name), result: result(name) },
  ];
  state = after(done("two", "b"), state);
  expect(state.run?.phase).toBe("working");
  expect(outcomes(state)).toEqual(["waiting", "done"]);
  state = after([...done("one", "a"), { type: "run-ended", ending: "done" }], state);
  expect(state.run).toMatchObject({ phase: "ended", charged: 2 });
  expect(state.credits).toEqual(credits(2, 49));
  expect(isStale(state)).toBe(false);
  expect(isStale(after([own("b", { quality: "80" })], state))).toBe(true);
  expect(picturesToSend(after([own("b", { quality: "80" })], state))).toHaveLength(2);
});

test("a part that is refused fails alone, and the batch goes on with the others", () => {
  const before = after([added("a", "b"), quality("75"), own("b", { quality: "90" })]);
  const state = after(
    [
      {
        ...{ type: "run-started", tool: "compress", settings: before.settings.compress, own: before.own },
        ...{ ids: ["a", "b"].map(idOf), recalledIds: [] },
      },
      { type: "job-accepted", jobId: "one", ids: [idOf("a")] },
      { type: "part-refused", ids: [idOf("b")], reason: "Your credits are used up.", code: "out-of-credits" },
    ],
    before,
  );
  expect(outcomes(state)).toEqual(["waiting", "failed"]);
  expect(state.run?.phase).toBe("working");
});
