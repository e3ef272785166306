import { expect, test } from "vitest";
import { type Batch, type Phase, type Signal, stepRun } from "./run-machine.ts";

const batch = (number: number): Batch => ({
  ...{ number, tool: "compress", settings: { quality: "75" } },
  ...{ pictures: [], keys: new Map() },
});
const [one, two] = [batch(1), batch(2)];
const idle: Phase = { name: "idle" };

/** The phase after the signals, and everything that was to be done on the way. */
function run(signals: readonly Signal[], from: Phase = idle) {
  let phase = from;
  const effects: string[] = [];
  for (const signal of signals) {
    const step = stepRun(phase, signal);
    phase = step.phase;
    effects.push(...step.effects.map((effect) => effect.do));
  }
  return { phase: phase.name, effects };
}
const begun: Signal = { type: "begun", batch: one };
const accepted: Signal = { type: "accepted", batch: one, job: { id: "job-1", ids: [] } };
const alsoAccepted: Signal = { type: "accepted", batch: one, job: { id: "job-2", ids: [] } };
const sent: Signal = { type: "sent", batch: one };

test("a batch is sent, followed and forgotten when it is finished", () => {
  expect(run([begun, accepted, sent, { type: "finished", batch: one }])).toEqual({
    phase: "idle",
    effects: ["send", "take-up", "follow", "forget", "say-finished"],
  });
});

test("nothing else begins while a batch is under way", () => {
  expect(run([begun, { type: "begun", batch: two }, { type: "found", jobs: [], batch: two }])).toEqual({
    phase: "sending",
    effects: ["send"],
  });
});

test("cancelled while its bytes go out, a batch is held back", () => {
  expect(run([begun, { type: "cancelled", isWhole: false }])).toEqual({
    phase: "idle",
    effects: ["send", "say-cancelled", "stop"],
  });
});

test("cancelled when all its bytes are out, the job is ended as soon as the server names it", () => {
  expect(run([begun, { type: "cancelled", isWhole: true }, accepted])).toEqual({
    phase: "idle",
    effects: ["send", "say-cancelled", "end-on-server"],
  });
});

test("the late answer of a cancelled batch does not touch the next one", () => {
  const signals: Signal[] = [
    begun,
    { type: "cancelled", isWhole: true },
    { type: "begun", batch: two },
    accepted,
    { type: "refused", batch: one, problem: new Error("late") },
    sent,
  ];
  expect(run(signals)).toEqual({ phase: "sending", effects: ["send", "say-cancelled", "send", "end-on-server"] });
});

test("a lost connection asks the person, who listens again or gives up", () => {
  const lost: Signal[] = [begun, accepted, sent, { type: "connection-lost", batch: one }];
  expect(run(lost).phase).toBe("lost");
  expect(run([...lost, { type: "reconnected" }]).effects.slice(-2)).toEqual(["say-reconnecting", "follow"]);
  expect(run([...lost, { type: "cancelled", isWhole: true }]).effects.slice(-4)).toEqual([
    "say-cancelled",
    "stop",
    "forget",
    "end-on-server",
  ]);
});

test("a refusal ends the batch, and a job that was refused is forgotten", () => {
  const refused: Signal = { type: "refused", batch: one, problem: new Error("no") };
  expect(run([begun, refused])).toEqual({ phase: "idle", effects: ["send", "say-refused"] });
  expect(run([begun, accepted, sent, refused]).effects.slice(-2)).toEqual(["forget", "say-refused"]);
});

test("a batch of two jobs is followed when both are sent, and cancelled between them ends the first on the server", () => {
  expect(run([begun, accepted, alsoAccepted, sent])).toEqual({
    phase: "following",
    effects: ["send", "take-up", "take-up", "follow"],
  });
  expect(run([begun, accepted, { type: "cancelled", isWhole: false }, alsoAccepted])).toEqual({
    phase: "idle",
    effects: ["send", "take-up", "say-cancelled", "stop", "forget", "end-on-server", "end-on-server"],
  });
});

test("a batch of which the server needed nothing ends without a job", () => {
  expect(run([begun, sent])).toEqual({ phase: "idle", effects: ["send", "say-finished"] });
});
