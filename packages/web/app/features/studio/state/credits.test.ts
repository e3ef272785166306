import { expect, test } from "vitest";
import { idOf } from "../testing/pictures.ts";
import { deliveredUsage, knownUsage } from "./credits.ts";
import type { Outcome } from "./picture.ts";
import { initialState, type Run, type StudioState } from "./studio-state.ts";

const ids = ["a", "b", "c"].map(idOf);
const sent = {
  batch: 1,
  tool: "compress",
  steps: [],
  ids,
  reusedIds: [],
  orders: new Map(),
  keys: new Map(),
} as const;
const working: Run = {
  ...{ ...sent, phase: "working" },
  jobs: [],
  link: "live",
  position: undefined,
};
/** A batch of three that the server has charged in full, after ten used earlier. */
function stateWith(kinds: readonly Outcome["kind"][], run: Run = working): StudioState {
  // Only the outcome's kind matters here.
  const pictures = kinds.map(
    (kind, index) => ({ id: ids[index], outcome: { kind } }) as StudioState["pictures"][number],
  );
  return { ...initialState, pictures, run, credits: { charged: 3, remaining: 87, limit: 100 } };
}

test("a batch counts picture by picture as it is delivered", () => {
  expect(deliveredUsage(stateWith(["waiting", "working", "fetching"]))?.used).toBe(10);
  expect(deliveredUsage(stateWith(["done", "working", "failed"]))?.used).toBe(11);
  expect(deliveredUsage(stateWith(["done", "done", "done"]))?.used).toBe(13);
});

test("the server's word ends the count; before that a run counts whole for what may be sent next", () => {
  const ended: Run = {
    ...sent,
    phase: "ended",
    ending: "done",
    charged: 2,
    problem: undefined,
  };
  const state = { ...stateWith(["done", "done", "failed"], ended), credits: { charged: 2, remaining: 88, limit: 100 } };
  expect(deliveredUsage(state)).toEqual({ used: 12, limit: 100 });
  expect(knownUsage(stateWith(["waiting", "waiting", "waiting"]))).toEqual({ used: 13, limit: 100 });
});

test("before a first job nothing is told, and the allowance as it was asked for is what is known", () => {
  expect(deliveredUsage(initialState)).toBeUndefined();
  expect(knownUsage(initialState)).toBeUndefined();
});
