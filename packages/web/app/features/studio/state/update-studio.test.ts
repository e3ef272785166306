import { type JobFile, limits, text } from "@tintype/contract";
import { expect, test } from "vitest";
import {
  accepted,
  added,
  after,
  arrived,
  heard,
  idOf,
  job,
  jobFile,
  outcomes,
  picture,
  quality,
  result,
  sending,
} from "../testing/pictures.ts";
import { serverLost } from "./announcements.ts";
import { creditsLeft } from "./credits.ts";
import { withToolNames } from "./job-report.ts";
import { ordersOf } from "./order.ts";
import type { Result } from "./picture.ts";
import type { StudioEvent } from "./studio-event.ts";
import { limitsOf, type StudioState } from "./studio-state.ts";
import { overTargetSize } from "./to-send.ts";

const told = (file: JobFile) => heard({ type: "file", file });
const done = (index: number) => jobFile(index, { state: "done", progress: 1, notes: ["Kept as it was."] });
const cancelled = { type: "cancelled" } as const;
const followed = { type: "followed", batch: 1 } as const;

test("the first picture added is looked at, and taking it away looks at its neighbour", () => {
  const state = after([added("a", "b", "c")]);
  expect(state.selectedId).toBe("a");
  expect(after([{ type: "pictures-removed", ids: [idOf("a")] }], state).selectedId).toBe("b");
});

// product: quality-filled-in
test("the first picture fills in the quality; one that was emptied stays empty", () => {
  const state = after([added("a")]);
  expect(state.settings.compress.quality).toBe("75");
  const emptied = after([{ type: "setting-changed", tool: "compress", patch: { quality: "" } }, added("b")], state);
  expect(emptied.settings.compress.quality).toBe("");
});

test("removing the first picture clears the detected source format, removing another does not", () => {
  const state = after([added("a", "b"), { type: "format-detected", format: "png" }]);
  expect(after([{ type: "pictures-removed", ids: [idOf("b")] }], state).settings.convert.source_format).toBe("png");
  expect(after([{ type: "pictures-removed", ids: [idOf("a")] }], state).settings.convert.source_format).toBe("");
});

test("an upload fills its pictures one after the other", () => {
  const state = after(
    [{ type: "upload-progressed", batch: 1, sentBytes: 1500, totalBytes: 2200 }],
    sending(["a", "b"]),
  );
  expect(state.pictures.map(({ outcome }) => outcome)).toEqual([
    { kind: "uploading", share: 1 },
    { kind: "uploading", share: 0.5 },
  ]);
});

test("a picture goes through waiting, working and fetching to done, and keeps what the engine remarks", () => {
  let state = accepted(["a", "b"]);
  expect(outcomes(state)).toEqual(["waiting", "waiting"]);
  state = after([told(jobFile(0, { state: "working", progress: 0.5, stage: "Loading the model" }))], state);
  expect(state.pictures[0]?.outcome).toEqual({ kind: "working", progress: 0.5, stage: "Loading the model" });
  state = after([told(done(0)), arrived("a")], state);
  expect(state.pictures[0]?.outcome).toMatchObject({
    kind: "done",
    notes: ["Kept as it was."],
    result: { name: "a.png" },
  });
  expect(outcomes(state)).toEqual(["done", "waiting"]);
});

test("downloaded results are not unmade by the snapshot after a reconnect", () => {
  const state = after(
    [told(done(0)), arrived("a"), heard({ type: "snapshot", job: job([done(0), jobFile(1, { state: "working" })]) })],
    accepted(["a", "b"]),
  );
  expect(outcomes(state)).toEqual(["done", "working"]);
});

test("events of another job change nothing", () => {
  const state = accepted(["a"]);
  const file = { type: "file", file: done(0) } as const;
  expect(after([heard(file, { jobId: "older" }), heard(file, { batch: 7 })], state)).toBe(state);
});

test("a finished job is delivering until all is brought over, then ended", () => {
  let state = after([told(done(0)), heard({ type: "job", state: "done" })], accepted(["a"]));
  expect(state.run?.phase).toBe("delivering");
  state = after([arrived("a"), followed], state);
  expect(state.run).toMatchObject({ phase: "ended", ending: "done" });
});

test("cancelling keeps what is done and marks the rest", () => {
  const state = after([told(done(0)), arrived("a"), cancelled], accepted(["a", "b"]));
  expect(outcomes(state)).toEqual(["done", "cancelled"]);
});

test("a batch that is refused leaves its pictures as they were and says why", () => {
  const refusal = { sentence: "Your credits are used up.", code: "out-of-credits", status: 402, reference: "req_1" };
  const state = after([{ type: "part-refused", batch: 1, refusal }], sending(["a"]));
  expect(outcomes(state)).toEqual(["none"]);
  expect(state.obstacle).toEqual({
    field: "service",
    sentence: text.processFailed("402 Your credits are used up."),
    reference: "req_1",
  });
  expect(state.run).toMatchObject({ phase: "ended", ending: "failed" });
});

test("a picture that is being worked on cannot be taken away", () => {
  const state = accepted(["a", "b"]);
  expect(
    after([{ type: "pictures-removed", ids: [idOf("a")] }, { type: "pictures-cleared" }], state).pictures,
  ).toHaveLength(2);
});

test("a batch found again after a reload shows what the server still has", () => {
  const found = job([jobFile(0, { state: "done", source: { width: 30, height: 20, size_bytes: 77 } }), jobFile(1)], {
    position: 4,
  });
  const pictures = ["a", "b"].map((name) =>
    picture(name, { file: undefined, sides: undefined, sizeBytes: 0, outcome: { kind: "waiting" } }),
  );
  const batch = { tool: "resize", plan: undefined, orders: new Map(), keys: new Map() } as const;
  const jobs = [{ job: found, ids: ["a", "b"].map(idOf) }];
  const state = after([{ type: "batch-found", found: { ...batch, jobs, pictures } }]);
  expect(outcomes(state)).toEqual(["fetching", "waiting"]);
  expect(state.pictures[0]).toMatchObject({ sizeBytes: 77, sides: { widthPx: 30, heightPx: 20 } });
  expect(state).toMatchObject({ tool: "resize", run: { phase: "working", position: 4 } });
});

test("a screen reader hears each picture added, finished and failed, and the end", () => {
  const state = after(
    [
      told(done(0)),
      told(jobFile(1, { state: "failed", reason: "The image is damaged and cannot be read." })),
      arrived("a"),
      followed,
    ],
    accepted(["a", "b"]),
  );
  expect(state.announcements.map(({ sentence }) => sentence)).toEqual([
    "2 images added.",
    "Sending 2 images.",
    "b failed. The image is damaged and cannot be read.",
    "a finished, 60% smaller.",
    "Finished. 1 image ready to download. 1 image failed.",
  ]);
  expect(new Set(state.announcements.map(({ id }) => id)).size).toBe(5);
});

test("a screen reader hears that a run was cancelled, and what is there of it", () => {
  const none = after([cancelled], accepted(["a", "b"]));
  const one = after([told(done(0)), arrived("a"), cancelled], accepted(["a", "b"]));
  expect([none, one].map(({ announcements }) => announcements.at(-1)?.sentence)).toEqual([
    "Cancelled.",
    "Cancelled. 1 image ready to download.",
  ]);
});

test("nothing to do marks each picture unchanged, with the server's word", () => {
  const state = after([{ type: "part-unneeded", batch: 1, reason: text.sameFormat }], sending(["a"]));
  expect(state.pictures[0]?.outcome).toEqual({ kind: "unchanged", reason: text.sameFormat });
});

test("an unchanged file is a result if its name had the wrong extension, and says why it is unchanged", () => {
  const facts = { format: "png", width: 4, height: 3, size_bytes: 3 } as const;
  const unchanged = (index: number, name: string) =>
    told(
      jobFile(index, {
        state: "unchanged",
        reason: text.sameFormat,
        name,
        result: { ...facts, name: `${index}.png` },
      }),
    );
  const state = after([unchanged(0, "0.jpg"), arrived("a"), unchanged(1, "1.png"), followed], accepted(["a", "b"]));
  expect(state.pictures.map(({ outcome }) => outcome)).toMatchObject([
    { kind: "done", notes: [text.sameFormat] },
    { kind: "unchanged", reason: text.sameFormat },
  ]);
});

test("a removal can be taken back, with its place, its results and its run", () => {
  const before = after(
    [told(done(0)), arrived("a"), told(jobFile(1, { state: "failed", reason: "Damaged." })), followed],
    accepted(["a", "b"]),
  );
  const one = after([{ type: "pictures-removed", ids: [idOf("a")] }], before);
  expect(one.pictures.map(({ name }) => name)).toEqual(["b"]);
  const none = after([{ type: "pictures-cleared" }], one);
  expect(none).toMatchObject({ pictures: [], run: undefined });
  const back = after([{ type: "removal-undone" }, { type: "removal-undone" }], none);
  expect(back.pictures).toEqual(before.pictures);
  expect(back).toMatchObject({ run: before.run, selectedId: "a", removals: [] });
});

test("a picture that was removed while its link was being fetched comes back with its file", () => {
  const removed = after([added("a"), { type: "pictures-removed", ids: [idOf("a")] }]);
  const picture = { file: new File(["bytes"], "a.png"), sizeBytes: 5, format: undefined, isAnimated: undefined };
  const fetched = { type: "picture-fetched", id: idOf("a"), picture: { ...picture, sides: undefined } } as const;
  const judged = { type: "picture-judged", id: idOf("a"), fault: "Damaged." } as const;
  const back = after([fetched, judged, { type: "removal-undone" }], removed);
  expect(back.pictures).toMatchObject([{ ...picture, fault: "Damaged." }]);
});

test("results that are here already stand as done, and nothing is sent", () => {
  const before = after([added("a"), quality("75")]);
  const reused = [{ id: idOf("a"), result: result("a.png"), notes: [], confidence: undefined }];
  const orders = ordersOf(before, before.pictures);
  const state = after(
    [
      { type: "submitted" },
      { ...{ type: "prepared", batch: 1, reused, orders }, keys: new Map(), shortage: undefined },
    ],
    before,
  );
  expect(outcomes(state)).toEqual(["done"]);
  expect(state.run).toMatchObject({ phase: "ended", ids: [], reusedIds: ["a"], charged: undefined });
});

test("a broken connection is said once, however often it is tried again, and so is its being given up", () => {
  const link = (name: "reconnecting" | "live", isNews = false) =>
    ({ type: "link-changed", batch: 1, link: name, isNews }) as const;
  const lost = { type: "connection-lost", batch: 1 } as const;
  const sentences = (state: StudioState) =>
    state.announcements.slice(accepted(["a"]).announcements.length).map(({ sentence }) => sentence);
  // The connection repeatedly opens and breaks at once.
  const flapping = [link("reconnecting", true), link("live"), link("reconnecting"), link("live"), link("reconnecting")];
  const state = after(flapping, accepted(["a"]));
  expect(sentences(state)).toEqual(["The connection was lost."]);
  expect(sentences(after([link("live"), link("reconnecting", true)], state))).toHaveLength(2);
  const again = [lost, { type: "reconnected" }, link("reconnecting", true)] as const;
  expect(sentences(after([...again, ...again, lost], state))).toEqual(["The connection was lost.", serverLost]);
});

test("an upload that is tried again is told once a reason, and shown with each pause", () => {
  const busy = (waitSeconds: number, isNews: boolean) =>
    ({ type: "upload-delayed", batch: 1, reason: "All machines are busy.", waitSeconds, isNews }) as const;
  const state = after([busy(1, true), busy(2, false)], sending(["a"]));
  expect(state.announcements.at(-1)?.sentence).toBe("All machines are busy. Trying again.");
  expect(state.announcements.filter(({ sentence }) => sentence.includes("busy"))).toHaveLength(1);
  expect(state.run).toMatchObject({ delay: "All machines are busy. Trying again in 2 s." });
});

test("a vector drawn as pixels is announced by its size in pixels", () => {
  const drawing = { type: "pictures-added", pictures: [picture("a", { format: "svg" })], refusals: [] } as const;
  const ready = after([
    drawing,
    { type: "tool-chosen", tool: "convert" },
    { type: "setting-changed", tool: "convert", patch: { target_format: "png" } },
  ]);
  const state = after([told(done(0)), arrived("a", { sizeBytes: 16_170 })], accepted(["a"], ready));
  expect(state.announcements.at(-1)?.sentence).toBe("a finished, 400 × 300 pixels.");
});

test.each([
  ["upscale", "a finished, 400 × 300 pixels."],
  ["remove-background", "a finished, cut out."],
] as const)("%s is announced by what it is for, not by its bytes", (tool, words) => {
  const ready = after([added("a"), { type: "tool-chosen", tool }]);
  const state = after([told(done(0)), arrived("a", { sizeBytes: 3530 })], accepted(["a"], ready));
  expect(state.announcements.at(-1)?.sentence).toBe(words);
});

const arrivedOf = (patch: Partial<Result>): StudioEvent => {
  const event = arrived("a");
  return event.type === "result-arrived" ? { ...event, result: { ...event.result, ...patch } } : event;
};

test.each([false, true])("a result of an animation moves or not as it says: %s", (isAnimated) => {
  const moving = picture("a", { format: "webp", isAnimated: true });
  const ready = after([
    { type: "pictures-added", pictures: [moving], refusals: [] },
    { type: "tool-chosen", tool: "convert" },
    { type: "setting-changed", tool: "convert", patch: { target_format: "png" } },
  ]);
  const arrivals = [told(done(0)), arrivedOf({ format: "webp", isAnimated }), followed];
  const state = after([...arrivals, { type: "results-adopted" }], accepted(["a"], ready));
  expect(state.pictures[0]?.original).toBeDefined();
  expect(state.pictures[0]?.isAnimated).toBe(isAnimated);
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

test("an answer about credits that was asked for before a job told of them does not undo what the job told", () => {
  const usage = { used: 0, limit: 5 };
  const late = { type: "allowance-known", allowance: { tier: "guest", limits: limits.guest, usage } } as const;
  const credits = { charged: 2, remaining: 3, limit: 5 };
  const telling = after([heard({ type: "job", state: "done", credits })], accepted(["a"]));
  const during = after([late, { type: "followed", batch: 1 }], telling);
  expect(during.run).toMatchObject({ phase: "ended", charged: 2 });
  expect(creditsLeft(during)).toBe("3 of 5 left");
  const over = after([{ type: "followed", batch: 1 }, late], telling);
  expect(creditsLeft(over)).toBe("3 of 5 left");
  const asked = {
    ...late,
    allowance: { ...late.allowance, usage: { used: 4, limit: 5 } },
    creditsBefore: over.credits,
  };
  expect(creditsLeft(after([asked], over))).toBe("1 of 5 left");
});

test("the step that a picture fails in has the tool's name, and not the API's", () => {
  const reason = "Step 2 (remove-background): No subject was found in this picture.";
  const failed = after(
    [heard({ type: "file", file: jobFile(0, { state: "failed", code: "broken-image", reason }) })],
    accepted(["a"]),
  );
  expect(failed.pictures[0]?.outcome).toMatchObject({
    reason: "Step 2, Remove BG: No subject was found in this picture.",
  });
  expect(withToolNames("Step 2 (nothing-of-ours): A reason.")).toBe("Step 2 (nothing-of-ours): A reason.");
});

test("a limit of bytes that was too low is told in the studio's words, with the bytes that would do", () => {
  const reason = "The picture does not fit into 100000 bytes. Allow more bytes, a lower min_quality, or allow_resize.";
  const file = jobFile(0, { state: "failed", code: "size-unreachable", reason, smallest_bytes: 233_501 });
  const state = after([heard({ type: "file", file }), { type: "followed", batch: 1 }], accepted(["a"]));
  expect(state.pictures[0]?.outcome).toEqual({
    kind: "failed",
    code: "size-unreachable",
    smallestBytes: 233_501,
    reason: "The maximum file size is too small for this image. At this size in pixels it needs 234 KB.",
  });
  expect(overTargetSize(state)).toEqual(state.pictures);
  expect(overTargetSize(after([quality("60")], state))).toEqual([]);
});
