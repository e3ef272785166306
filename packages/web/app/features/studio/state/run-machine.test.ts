import fc from "fast-check";
import { expect, test } from "vitest";
import { added, after, heard, idOf, job, jobFile, outcomes, picture, quality, result } from "../testing/pictures.ts";
import type { Effect } from "./effect.ts";
import { ordersOf } from "./order.ts";
import { isBusy } from "./picture.ts";
import { phaseOf, type RunPhase, transitions } from "./run-machine.ts";
import type { FoundBatch, RunEvent, StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";
import { updateStudio } from "./update-studio.ts";

const customOptions: StudioEvent = {
  type: "custom-options-set",
  ids: [idOf("b")],
  tool: "compress",
  settings: { quality: "40" },
};
/** Two pictures with different options: a batch of two parts. */
const ready = after([added("a", "b"), quality("75"), customOptions]);

/** Answers the machine's effects like the server and the browser; `did` lists all effects in order. */
function play(events: readonly (RunEvent | "prepare")[], from: StudioState = ready) {
  let state = from;
  const did: Effect[] = [];
  const tell = (event: RunEvent) => {
    const next = updateStudio(state, event);
    state = next.state;
    did.push(...next.effects);
  };
  for (const event of events) {
    if (event !== "prepare") {
      tell(event);
      continue;
    }
    const orders = ordersOf(state, state.pictures);
    tell({ ...{ type: "prepared", batch: state.batch, reused: [], orders }, keys: new Map(), shortage: undefined });
  }
  return { state, did, names: did.map((effect) => effect.do) };
}

const refusal = { sentence: "Too many.", code: "out-of-credits", status: 402, reference: "req_1" };
const submitted: RunEvent = { type: "submitted" };
const taken = (jobId: string, batch = 1): RunEvent => ({ type: "part-accepted", batch, jobId, idempotencyKey: jobId });
const sent = [submitted, "prepare", taken("job-1"), taken("job-2")] as const;
const followed: RunEvent = { type: "followed", batch: 1 };
const lost: RunEvent = { type: "connection-lost", batch: 1 };
const progressed = (sentBytes: number): RunEvent => ({
  type: "upload-progressed",
  batch: 1,
  sentBytes,
  totalBytes: 1000,
});

test("a batch is sent part by part, followed when all are sent, and forgotten when it is finished", () => {
  const { state, names } = play([...sent, followed]);
  expect(names).toEqual(["prepare", "send", "remember", "send", "remember", "follow", "forget"]);
  expect(state.run).toMatchObject({ phase: "ended", ending: "done" });
});

test("nothing else begins while a batch is under way", () => {
  const { names } = play([
    submitted,
    submitted,
    "prepare",
    submitted,
    { type: "retried", ids: new Set(["a", "b", "c"].map(idOf)) },
    { type: "run-again" },
  ]);
  expect(names).toEqual(["prepare", "send"]);
});

test("cancelled while its bytes go out, a batch is held back", () => {
  const { state, names } = play([submitted, "prepare", progressed(400), { type: "cancelled" }]);
  expect(names).toEqual(["prepare", "send", "stop"]);
  expect(outcomes(state)).toEqual(["cancelled", "cancelled"]);
});

test("one picture of a job is cancelled by the server's word, and the others go on", () => {
  const { state, did } = play([...sent, { type: "picture-cancelled", id: idOf("b") }]);
  expect(did.at(-1)).toEqual({ do: "cancel-file", jobId: "job-2", index: 0 });
  expect(outcomes(state)).toEqual(["waiting", "waiting"]);
  const told = heard({ type: "file", file: jobFile(0, { state: "cancelled" }) }, { jobId: "job-2" });
  const after = play([told, { type: "picture-cancelled", id: idOf("b") }], state);
  expect([outcomes(after.state), after.names]).toEqual([["waiting", "cancelled"], []]);
  expect(after.state.announcements.at(-1)?.sentence).toBe("b cancelled.");
});

test("one picture that is not sent yet stays here, and one whose bytes go out goes with its part", () => {
  const { state, names } = play([
    submitted,
    "prepare",
    progressed(400),
    { type: "picture-cancelled", id: idOf("a") },
    { type: "picture-cancelled", id: idOf("b") },
    taken("job-1"),
  ]);
  expect(names).toEqual(["prepare", "send", "remember", "follow"]);
  expect(outcomes(state)).toEqual(["waiting", "cancelled"]);
});

test("a batch of which every picture was cancelled ends as cancelled", () => {
  const all = ["job-1", "job-2"].map((jobId) =>
    heard({ type: "file", file: jobFile(0, { state: "cancelled" }) }, { jobId }),
  );
  expect(play([...sent, ...all, followed]).state.run).toMatchObject({ phase: "ended", ending: "cancelled" });
});

test("cancelled when all bytes of a part are out, its job is ended as soon as the server names it", () => {
  const { names } = play([submitted, "prepare", progressed(1000), { type: "cancelled" }, taken("job-1")]);
  expect(names).toEqual(["prepare", "send", "end-jobs"]);
});

test("cancelled between its parts, the jobs that there are end on the server", () => {
  const { did } = play([submitted, "prepare", taken("job-1"), { type: "cancelled" }, taken("job-2")]);
  expect(did.slice(-4)).toEqual([
    { do: "stop", batch: 1 },
    { do: "forget", jobIds: ["job-1"] },
    { do: "end-jobs", batch: 1, jobIds: ["job-1"] },
    { do: "end-jobs", batch: 1, jobIds: ["job-2"] },
  ]);
});

test("the late answers of a cancelled batch do not touch the next one", () => {
  const { state, did } = play([
    ...[submitted, "prepare", progressed(1000), { type: "cancelled" }, submitted, "prepare"],
    ...[taken("late"), { type: "part-refused", batch: 1, refusal }, followed, progressed(1000)],
  ] as const);
  expect(did.at(-1)).toEqual({ do: "end-jobs", batch: 1, jobIds: ["late"] });
  expect(state.run).toMatchObject({ batch: 2, phase: "sending", sentBytes: 0 });
});

test("with a lost connection the server is waited for, and the person can listen again or give up", () => {
  const { state, names } = play([...sent, lost]);
  expect(names.at(-1)).toBe("await-server");
  expect(state.run).toMatchObject({ link: "lost" });
  expect(play([...sent, lost, { type: "reconnected" }]).names.at(-1)).toBe("follow");
  expect(play([...sent, lost, { type: "cancelled" }]).names.slice(-3)).toEqual(["stop", "forget", "end-jobs"]);
});

test("a refusal of the first part ends the batch, and the page shows the way on", () => {
  const { state, did } = play([submitted, "prepare", { type: "part-refused", batch: 1, refusal }]);
  expect(did.at(-1)).toEqual({ do: "show-shortage", sentence: "Too many.", ids: ["a", "b"] });
  expect(outcomes(state)).toEqual(["none", "none"]);
  expect(state).toMatchObject({ obstacle: { field: "service", reference: "req_1" }, run: { ending: "failed" } });
});

test("a later part that is refused fails alone, and the batch goes on with the others", () => {
  const { state, names } = play([submitted, "prepare", taken("job-1"), { type: "part-refused", batch: 1, refusal }]);
  expect(outcomes(state)).toEqual(["waiting", "failed"]);
  expect(state.run?.phase).toBe("working");
  expect(names.slice(-2)).toEqual(["show-shortage", "follow"]);
});

test("a job that is refused while it is followed is forgotten", () => {
  const { state, names } = play([...sent, { type: "follow-refused", batch: 1, refusal }]);
  expect(names.slice(-2)).toEqual(["forget", "show-shortage"]);
  expect(state.run).toMatchObject({ ending: "failed" });
});

test("a batch of which the server needed nothing ends without a job", () => {
  const unneeded: RunEvent = { type: "part-unneeded", batch: 1, reason: "The same." };
  const { state, names } = play([submitted, "prepare", unneeded, unneeded]);
  expect(names).toEqual(["prepare", "send", "send"]);
  expect(state.run).toMatchObject({ phase: "ended", ending: "done" });
});

test("what failed or was cancelled is sent again as that batch had it, and asks for no kept result", () => {
  const { did } = play([...sent, { type: "cancelled" }, { type: "retried", ids: new Set(["a", "b", "c"].map(idOf)) }]);
  expect(did.at(-1)).toMatchObject({ do: "prepare", batch: 2, mayReuse: false });
});

test("results that were here already are made once more only when that is asked for", () => {
  const asked = play([submitted]).did[0];
  if (asked?.do !== "prepare") throw new Error("Nothing was prepared");
  const reused = [...asked.orders.keys()].map((id) => ({ id, result: result(id), notes: [], confidence: undefined }));
  const { state, did } = play([
    submitted,
    { ...{ type: "prepared", batch: 1, reused, orders: asked.orders }, keys: new Map(), shortage: undefined },
    { type: "run-again" },
  ]);
  expect(outcomes(state)).toEqual(["done", "done"]);
  expect(did.at(-1)).toMatchObject({ do: "prepare", batch: 2, mayReuse: false });
});

test("missing credits leave everything as it was, with the reason", () => {
  const asked = play([submitted]).did[0];
  if (asked?.do !== "prepare") throw new Error("Nothing was prepared");
  const prepared = { type: "prepared", batch: 1, reused: [], orders: asked.orders, keys: new Map() } as const;
  const shortage = { field: "service", sentence: "1 credit left, 2 needed." };
  const told = play([submitted, { ...prepared, shortage }]);
  expect(told.state).toMatchObject({ isPreparing: false, run: undefined, obstacle: shortage });
  expect(told.names).toEqual(["prepare"]);
});

/** The names of the pictures in the latest batch. */
const begun = (did: readonly Effect[]) =>
  did.findLast((effect) => effect.do === "prepare")?.pictures.map(({ name }) => name);
const startRequested = (...names: string[]): StudioEvent => ({ type: "start-requested", ids: names.map(idOf) });
const due: RunEvent = { type: "start-due", isRequested: true };
const working = play([...sent]).state;

test("pictures to start go as one batch, without those that were there before", () => {
  const state = after([added("c"), startRequested("c"), added("d"), startRequested("d")], working);
  const { did, state: next } = play([followed, due], state);
  expect(begun(did)).toEqual(["c", "d"]);
  expect(next.toStart.size).toBe(0);
});

test("a selection of other pictures, and how many of them there are, does not keep new ones from starting", () => {
  const names = Array.from({ length: 30 }, (_, index) => `${index}`);
  const caller: StudioEvent = { type: "caller-known", caller: { id: "ann", tier: "hobby" } };
  const state = after([caller, added(...names), quality("75"), added("x"), startRequested("x")]);
  expect(begun(play([due], state).did)).toEqual(["x"]);
  const selected = after([{ type: "selection-changed", ids: new Set([idOf("3")]) }], state);
  expect(begun(play([due], selected).did)).toEqual(["x"]);
});

test("a picture to start that has been cancelled alone or has failed meanwhile is not sent again", () => {
  const state = after([added("c"), startRequested("a", "b", "c")], working);
  const gone = heard({ type: "file", file: jobFile(0, { state: "cancelled" }) });
  const failed = heard({ type: "file", file: jobFile(0, { state: "failed", reason: "Busy." }) }, { jobId: "job-2" });
  expect(begun(play([gone, failed, followed, due], state).did)).toEqual(["c"]);
});

test("pictures to start stay where they no longer may: unwished, cancelled, refused, or short of credits", () => {
  const state = after([added("c"), startRequested("c")], working);
  const isLeft = (events: readonly RunEvent[], from = state) => {
    const { did, state: next } = play([...events, due], from);
    expect(begun(did)).toBeUndefined();
    expect(outcomes(next).at(-1)).toBe("none");
  };
  isLeft([followed, { type: "start-due", isRequested: false }]);
  isLeft([{ type: "cancelled" }]);
  const all = ["job-1", "job-2"].map((jobId) =>
    heard({ type: "file", file: jobFile(0, { state: "cancelled" }) }, { jobId }),
  );
  isLeft([...all, followed]);
  isLeft([{ type: "follow-refused", batch: 1, refusal }]);
  const preparing = after([added("c"), startRequested("c")], play([submitted]).state);
  const prepared = { type: "prepared", batch: 1, reused: [], keys: new Map() } as const;
  isLeft([{ ...prepared, orders: ordersOf(ready, ready.pictures), shortage: "shown" }], preparing);
});

test("pictures to start stay where the tool or the options were changed by the person, and only then", () => {
  const state = after([added("c"), startRequested("c")], working);
  const left = (event: StudioEvent) => after([event], state).toStart.size;
  expect(left(quality("30"))).toBe(0);
  expect(left({ type: "tool-chosen", tool: "upscale" })).toBe(0);
  expect(left({ type: "tool-chosen", tool: "compress" })).toBe(1);
  expect(left({ type: "format-detected", format: "png" })).toBe(1);
  expect(left(added("d"))).toBe(1);
});

test("pictures to start whose options are not complete stay without a complaint", () => {
  const convert: StudioEvent = { type: "tool-chosen", tool: "convert" };
  const { state, names } = play([due], after([convert, added("a"), startRequested("a")]));
  expect(names).toEqual([]);
  expect(state).toMatchObject({ obstacle: undefined, toStart: new Set() });
});

test("a submit of certain pictures sends no others, not even when those are gone", () => {
  const some: RunEvent = { type: "submitted", ids: new Set([idOf("b")]) };
  expect(begun(play([some]).did)).toEqual(["b"]);
  const gone = after([{ type: "pictures-removed", ids: [idOf("b")] }], ready);
  expect(play([some], gone).names).toEqual([]);
});

// Properties that hold for any order of server, network and user events.

const batches = fc.constantFrom(1, 2);
const jobIds = fc.constantFrom("job-1", "job-2", "job-3");
const ids = fc.constantFrom("a", "b", "c").map(idOf);
const refusals = fc.constantFrom(refusal, { ...refusal, code: "engine-failed" });
const reusedOf = (batch: number, names: readonly string[]): RunEvent => ({
  type: "prepared",
  batch,
  keys: new Map(),
  shortage: undefined,
  reused: names.map((name) => ({ id: idOf(name), result: result(name), notes: [], confidence: undefined })),
  orders: ordersOf(
    ready,
    ready.pictures.filter(({ name }) => names.includes(name)),
  ),
});
const found: FoundBatch = {
  tool: "compress",
  plan: undefined,
  orders: new Map(),
  keys: new Map(),
  jobs: [{ job: job([jobFile(0)], { id: "job-9" }), ids: [idOf("c")] }],
  pictures: [picture("c", { outcome: { kind: "waiting" } })],
};
const files = fc.constantFrom(
  jobFile(0, { state: "working", progress: 0.5 }),
  jobFile(0, { state: "done" }),
  jobFile(0, { state: "failed", reason: "Damaged.", code: "broken-image" }),
);
const runEvents: fc.Arbitrary<RunEvent | "prepare"> = fc.oneof(
  fc.constant("prepare" as const),
  fc.constant<RunEvent>(submitted),
  fc.constant<RunEvent>({ type: "start-due", isRequested: true }),
  fc.constant<RunEvent>({ type: "cancelled" }),
  fc.constant<RunEvent>({ type: "retried", ids: new Set(["a", "b", "c"].map(idOf)) }),
  ids.map((id): RunEvent => ({ type: "picture-cancelled", id })),
  fc.constant<RunEvent>({ type: "run-again" }),
  fc.constant<RunEvent>({ type: "reconnected" }),
  fc.constant<RunEvent>({ type: "batch-found", found }),
  fc.constant<RunEvent>({ type: "save-failed", sentence: "No room." }),
  batches.map((batch): RunEvent => ({ type: "preparation-failed", batch })),
  batches.map((batch): RunEvent => reusedOf(batch, ["a"])),
  fc
    .tuple(batches, fc.nat(1000))
    .map(([batch, sentBytes]): RunEvent => ({ type: "upload-progressed", batch, sentBytes, totalBytes: 1000 })),
  batches.map((batch): RunEvent => ({ type: "upload-delayed", batch, reason: "Busy.", waitSeconds: 1, isNews: true })),
  fc
    .tuple(batches, jobIds)
    .map(([batch, jobId]): RunEvent => ({ type: "part-accepted", batch, jobId, idempotencyKey: jobId })),
  batches.map((batch): RunEvent => ({ type: "part-unneeded", batch, reason: "The same." })),
  fc.tuple(batches, refusals).map(([batch, one]): RunEvent => ({ type: "part-refused", batch, refusal: one })),
  fc.tuple(batches, jobIds, files).map(([batch, jobId, file]) => heard({ type: "file", file }, { batch, jobId })),
  fc.tuple(batches, jobIds).map(([batch, jobId]) => heard({ type: "job", state: "done" }, { batch, jobId })),
  batches.map((batch): RunEvent => ({ type: "link-changed", batch, link: "reconnecting", isNews: true })),
  fc
    .tuple(batches, ids)
    .map(([batch, id]): RunEvent => ({ type: "result-arrived", batch, id, result: result(`${id}.png`) })),
  fc
    .tuple(batches, ids)
    .map(([batch, id]): RunEvent => ({ type: "result-lost", batch, id, reason: "Gone.", code: "gone" })),
  batches.map((batch): RunEvent => ({ type: "followed", batch })),
  batches.map((batch): RunEvent => ({ type: "connection-lost", batch })),
  fc.tuple(batches, refusals).map(([batch, one]): RunEvent => ({ type: "follow-refused", batch, refusal: one })),
  batches.map(
    (batch): RunEvent => ({ type: "credits-refunded", batch, credits: { charged: 1, remaining: 3, limit: 5 } }),
  ),
);

test("every change of phase is one that the table names, and an event that has no place in it does nothing", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(runEvents, { minLength: 20, maxLength: 60 }), (events) => {
      let played = play([], after([startRequested("a", "b")], ready));
      for (const event of events) {
        const before = played.state;
        const phase = phaseOf(before);
        const next = play([event], before);
        const type = event === "prepare" ? "prepared" : event.type;
        const leadsTo: readonly RunPhase[] | undefined = transitions[phase][type];
        if (!leadsTo) {
          expect(next.state).toBe(before);
          expect(next.did).toEqual([]);
        } else if (next.state !== before) {
          expect([...leadsTo, phase]).toContain(phaseOf(next.state));
          seen.add(`${phase}/${type}`);
        }
        played = next;
      }
    }),
    { numRuns: 200 },
  );
  expect(seen.size).toBeGreaterThan(15);
});

test("once a batch is over no picture is busy, each job was followed or ended, and none is remembered for ever", () => {
  fc.assert(
    fc.property(fc.array(runEvents, { maxLength: 40, size: "max" }), (events) => {
      const { state, did } = play([...events, { type: "cancelled" }]);
      if (phaseOf(state) === "preparing") return;
      expect(phaseOf(state)).toBe("idle");
      expect(state.pictures.filter(isBusy)).toEqual([]);
      const remembered = did.flatMap((effect) => (effect.do === "remember" ? [effect.jobId] : []));
      const forgotten = new Set(did.flatMap((effect) => (effect.do === "forget" ? effect.jobIds : [])));
      expect(remembered.filter((jobId) => !forgotten.has(jobId))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("at most one part is on its way, and no picture is sent twice by one batch", () => {
  fc.assert(
    fc.property(fc.array(runEvents, { maxLength: 40, size: "max" }), (events) => {
      const { did } = play(events);
      const sends = did.flatMap((effect) => (effect.do === "send" ? [effect] : []));
      for (const batch of new Set(sends.map((effect) => effect.batch))) {
        const names = sends.filter((effect) => effect.batch === batch).flatMap((effect) => effect.files);
        expect(new Set(names).size).toBe(names.length);
      }
    }),
    { numRuns: 200 },
  );
});

test("a batch that is cancelled keeps what is held of a job that is over, and ends the others", () => {
  const held = (id: string, jobId: string): StudioEvent => ({
    type: "outcome-changed",
    id: idOf(id),
    outcome: {
      ...{ kind: "held", notes: [], confidence: 0.9, isIncomplete: true },
      held: {
        ...{ job: { id: jobId, index: 0 }, name: "a.png", format: "png", sides: { widthPx: 4, heightPx: 3 } },
        ...{ key: undefined, thumbsUrl: "blob:a", keepAtMs: 0 },
      },
    },
  });
  const isOver = heard({ type: "job", state: "done" });
  const { state } = play([...sent, isOver]);
  const waiting = after([held("a", "job-1"), held("b", "job-2")], state);
  const cancelled = play([{ type: "cancelled" }], waiting);
  expect(outcomes(cancelled.state)).toEqual(["held", "cancelled"]);
  expect(cancelled.did.filter((effect) => effect.do === "end-jobs" || effect.do === "forget")).toEqual([
    { do: "forget", jobIds: ["job-2"] },
    { do: "end-jobs", batch: 1, jobIds: ["job-2"] },
  ]);
});
