import { limits, text } from "@tintype/contract";
import { expect, test } from "vitest";
import { accepted, added, after, idOf, job, jobFile, outcomes, picture, result, started } from "../testing/pictures.ts";
import { limitsOf } from "./studio-state.ts";

const heard = (file: ReturnType<typeof jobFile>) =>
  ({ type: "job-heard", jobId: "job-1", event: { type: "file", file } }) as const;
const done = (index: number) => jobFile(index, { state: "done", progress: 1, notes: ["Kept as it was."] });

test("the first picture added is looked at, and taking it away looks at its neighbour", () => {
  const state = after([added("a", "b", "c")]);
  expect(state.selectedId).toBe("a");
  expect(after([{ type: "picture-removed", id: idOf("a") }], state).selectedId).toBe("b");
});

test("removing the first picture clears the detected source format, removing another does not", () => {
  const state = after([added("a", "b"), { type: "format-detected", format: "png" }]);
  expect(after([{ type: "picture-removed", id: idOf("b") }], state).settings.convert.source_format).toBe("png");
  expect(after([{ type: "picture-removed", id: idOf("a") }], state).settings.convert.source_format).toBe("");
});

test("an upload fills its pictures one after the other", () => {
  const state = after([
    added("a", "b"),
    started(["a", "b"]),
    { type: "upload-progressed", sentBytes: 1500, totalBytes: 2200 },
  ]);
  expect(state.pictures.map(({ outcome }) => outcome)).toEqual([
    { kind: "uploading", share: 1 },
    { kind: "uploading", share: 0.5 },
  ]);
});

test("a picture goes through waiting, working and fetching to done, and keeps what the engine remarks", () => {
  let state = accepted("a", "b");
  expect(outcomes(state)).toEqual(["waiting", "waiting"]);
  state = after([heard(jobFile(0, { state: "working", progress: 0.5, stage: "Loading the model" }))], state);
  expect(state.pictures[0]?.outcome).toEqual({ kind: "working", progress: 0.5, stage: "Loading the model" });
  state = after([heard(done(0)), { type: "result-arrived", id: idOf("a"), result: result("a.png") }], state);
  expect(state.pictures[0]?.outcome).toMatchObject({
    kind: "done",
    notes: ["Kept as it was."],
    result: { name: "a.png" },
  });
  expect(outcomes(state)).toEqual(["done", "waiting"]);
});

test("downloaded results are not unmade by the snapshot after a reconnect", () => {
  const state = after(
    [
      heard(done(0)),
      { type: "result-arrived", id: idOf("a"), result: result("a.png") },
      {
        type: "job-heard",
        jobId: "job-1",
        event: { type: "snapshot", job: job([done(0), jobFile(1, { state: "working" })]) },
      },
    ],
    accepted("a", "b"),
  );
  expect(outcomes(state)).toEqual(["done", "working"]);
});

test("events of another job change nothing", () => {
  const state = accepted("a");
  expect(after([{ type: "job-heard", jobId: "older", event: { type: "file", file: done(0) } }], state)).toBe(state);
});

test("a finished job is delivering until all is brought over, then ended", () => {
  let state = after(
    [heard(done(0)), { type: "job-heard", jobId: "job-1", event: { type: "job", state: "done" } }],
    accepted("a"),
  );
  expect(state.run?.phase).toBe("delivering");
  state = after(
    [
      { type: "result-arrived", id: idOf("a"), result: result("a.png") },
      { type: "run-ended", ending: "done" },
    ],
    state,
  );
  expect(state.run).toMatchObject({ phase: "ended", ending: "done" });
});

test("cancelling keeps what is done and marks the rest", () => {
  const state = after(
    [
      heard(done(0)),
      { type: "result-arrived", id: idOf("a"), result: result("a.png") },
      { type: "run-ended", ending: "cancelled" },
    ],
    accepted("a", "b"),
  );
  expect(outcomes(state)).toEqual(["done", "cancelled"]);
});

test("a batch that is refused leaves its pictures as they were and says why", () => {
  const state = after([
    added("a"),
    started(["a"]),
    { type: "run-failed", reason: "Your credits are used up.", reference: "req_1" },
  ]);
  expect(outcomes(state)).toEqual(["none"]);
  expect(state.obstacle).toEqual({ field: "service", sentence: "Your credits are used up.", reference: "req_1" });
  expect(state.run).toMatchObject({ phase: "ended", ending: "failed" });
});

test("a picture that is being worked on cannot be taken away", () => {
  const state = accepted("a", "b");
  expect(
    after([{ type: "picture-removed", id: idOf("a") }, { type: "pictures-cleared" }], state).pictures,
  ).toHaveLength(2);
});

test("a batch found again after a reload shows what the server still has", () => {
  const found = job([jobFile(0, { state: "done", source: { width: 30, height: 20, size_bytes: 77 } }), jobFile(1)], {
    position: 4,
  });
  const pictures = ["a", "b"].map((name) =>
    picture(name, { file: undefined, sides: undefined, sizeBytes: 0, outcome: { kind: "waiting" } }),
  );
  const state = after([
    {
      type: "job-found",
      jobs: [{ job: found, ids: ["a", "b"].map(idOf) }],
      pictures,
      tool: "resize",
      settings: undefined,
    },
  ]);
  expect(outcomes(state)).toEqual(["fetching", "waiting"]);
  expect(state.pictures[0]).toMatchObject({ sizeBytes: 77, sides: { widthPx: 30, heightPx: 20 } });
  expect(state).toMatchObject({ tool: "resize", run: { phase: "working", position: 4 } });
});

test("a screen reader hears each picture added, finished and failed, and the end", () => {
  const state = after(
    [
      heard(done(0)),
      heard(jobFile(1, { state: "failed", reason: "The picture is damaged and cannot be read." })),
      { type: "result-arrived", id: idOf("a"), result: result("a.png") },
      { type: "run-ended", ending: "done" },
    ],
    accepted("a", "b"),
  );
  expect(state.announcements.map(({ sentence }) => sentence)).toEqual([
    "2 pictures added.",
    "Sending 2 pictures.",
    "b failed. The picture is damaged and cannot be read.",
    "a finished, 60% smaller.",
    "Finished. 1 picture ready to download. 1 picture failed.",
  ]);
  expect(new Set(state.announcements.map(({ id }) => id)).size).toBe(5);
});

test("a screen reader hears that a run was cancelled, and what is there of it", () => {
  const ended = { type: "run-ended", ending: "cancelled" } as const;
  const arrived = { type: "result-arrived", id: idOf("a"), result: result("a.png") } as const;
  const none = after([ended], accepted("a", "b"));
  const one = after([heard(done(0)), arrived, ended], accepted("a", "b"));
  expect([none, one].map(({ announcements }) => announcements.at(-1)?.sentence)).toEqual([
    "Cancelled.",
    "Cancelled. 1 picture ready to download.",
  ]);
});

test("nothing to do marks each picture unchanged, with the server's word", () => {
  const state = after([
    added("a"),
    started(["a"]),
    { type: "part-unneeded", ids: [idOf("a")], reason: text.sameFormat },
  ]);
  expect(state.pictures[0]?.outcome).toEqual({ kind: "unchanged", reason: text.sameFormat });
});

test("a removal can be taken back, with its place, its results and its run", () => {
  const before = after(
    [
      heard(done(0)),
      { type: "result-arrived", id: idOf("a"), result: result("a.png") },
      heard(jobFile(1, { state: "failed", reason: "Damaged." })),
      { type: "run-ended", ending: "done" },
    ],
    accepted("a", "b"),
  );
  const one = after([{ type: "picture-removed", id: idOf("a") }], before);
  expect(one.pictures.map(({ name }) => name)).toEqual(["b"]);
  const none = after([{ type: "pictures-cleared" }], one);
  expect(none).toMatchObject({ pictures: [], run: undefined });
  const back = after([{ type: "removal-undone" }, { type: "removal-undone" }], none);
  expect(back.pictures).toEqual(before.pictures);
  expect(back).toMatchObject({ run: before.run, selectedId: "a", removals: [] });
});

test("results that are here already stand as done, and nothing is sent", () => {
  const state = after([
    added("a"),
    {
      ...{ type: "results-recalled", tool: "compress", settings: { quality: "75" } },
      results: [{ id: idOf("a"), result: result("a.png"), notes: [], confidence: undefined }],
    },
  ]);
  expect(outcomes(state)).toEqual(["done"]);
  expect(state.run).toMatchObject({ phase: "ended", ids: [], recalledIds: ["a"], charged: undefined });
});

test("a broken connection is said once, however often it is tried again, and so is its being given up", () => {
  const link = (name: "reconnecting" | "lost" | "live", isNews = false) =>
    ({ type: "link-changed", link: name, isNews }) as const;
  const heard = (state: ReturnType<typeof accepted>) =>
    state.announcements.slice(accepted("a").announcements.length).map(({ sentence }) => sentence);
  // The connection opens and breaks at once, again and again.
  const flapping = [link("reconnecting", true), link("live"), link("reconnecting"), link("live"), link("reconnecting")];
  const state = after(flapping, accepted("a"));
  expect(heard(state)).toEqual(["The connection is interrupted."]);
  expect(heard(after([link("live"), link("reconnecting", true)], state))).toHaveLength(2);
  expect(heard(after([link("lost", true), link("reconnecting"), link("reconnecting", true)], state))).toEqual([
    "The connection is interrupted.",
    "The server cannot be reached. Your batch is kept for 15 minutes.",
  ]);
});

test("an upload that is tried again is told once a reason, and shown with each pause", () => {
  const busy = (waitSeconds: number, isNews: boolean) =>
    ({ type: "upload-delayed", reason: "All machines are busy.", waitSeconds, isNews }) as const;
  const state = after([added("a"), started(["a"]), busy(1, true), busy(2, false)]);
  expect(state.announcements.at(-1)?.sentence).toBe("All machines are busy. Trying again.");
  expect(state.announcements.filter(({ sentence }) => sentence.includes("busy"))).toHaveLength(1);
  expect(state.run).toMatchObject({ delay: "All machines are busy. Trying again in 2 s." });
});

test.each([
  ["upscale", "a finished, 400 × 300 pixels."],
  ["remove-background", "a finished, cut out."],
] as const)("%s is announced by what it is for, not by its bytes", (tool, words) => {
  const state = after([
    added("a"),
    { type: "run-started", ids: [idOf("a")], recalledIds: [], tool, settings: undefined },
    { type: "job-accepted", jobId: "job-1", ids: [idOf("a")] },
    heard(done(0)),
    { type: "result-arrived", id: idOf("a"), result: result("a.png", 3530) },
  ]);
  expect(state.announcements.at(-1)?.sentence).toBe(words);
});

test("another caller's credits and limits are not taken for the present one's", () => {
  const usage = { used: 4, limit: 5 };
  const state = after([
    { type: "caller-known", caller: { id: "guest", tier: "guest" } },
    { type: "allowance-known", allowance: { tier: "guest", limits: limits.guest, usage } },
    { type: "caller-known", caller: { id: "user-1", tier: "pro" } },
  ]);
  expect(state.allowance).toBeUndefined();
  expect(limitsOf(state)).toEqual({ tier: "pro", limits: limits.pro });
  expect(limitsOf(after([{ type: "caller-known", caller: undefined }], state))).toBeUndefined();
});
