import { expect, test } from "vitest";
import { createStore } from "../../../lib/store.ts";
import { reduceStudio } from "../state/reduce-studio.ts";
import { initialState } from "../state/studio-state.ts";
import { added, idOf, started } from "../testing/pictures.ts";
import { tellCredits } from "./tell-credits.ts";

function setUp() {
  const store = createStore(reduceStudio, initialState);
  const told: number[] = [];
  const counts = { asked: 0 };
  const host = {
    outOfCredits: async () => undefined,
    findShortage: async () => undefined,
    signUp: () => undefined,
    creditsUsed: ({ used }: { used: number }) => void told.push(used),
  };
  const ask = async () => {
    counts.asked += 1;
  };
  store.subscribe(tellCredits({ store, host, ask }));
  store.dispatch(added("a"));
  store.dispatch(started(["a"]));
  store.dispatch({ type: "job-accepted", jobId: "job-1", ids: [idOf("a")] });
  return { store, told, counts };
}

test("a job's credits are handed on once, and nothing is asked", () => {
  const { store, told, counts } = setUp();
  const credits = { charged: 1, remaining: 92, limit: 100 };
  for (const state of ["running", "done"] as const)
    store.dispatch({ type: "job-heard", jobId: "job-1", event: { type: "job", state, credits } });
  store.dispatch({ type: "run-ended", ending: "done" });
  expect(told).toEqual([7, 8]);
  expect(counts.asked).toBe(0);
});

test("a job that ended without telling has the server asked, once", () => {
  const { store, told, counts } = setUp();
  store.dispatch({ type: "run-ended", ending: "done" });
  store.dispatch({ type: "pictures-cleared" });
  expect(told).toEqual([]);
  expect(counts.asked).toBe(1);
});
