import { expect, test } from "vitest";
import { createStore } from "../../../lib/store.ts";
import { updateStudio } from "../state/update-studio.ts";
import { accepted, heard } from "../testing/pictures.ts";
import { rememberGuestUsage, reportCredits } from "./report-credits.ts";

function setUp() {
  const store = createStore({ initial: accepted(["a"]), update: updateStudio, perform: () => undefined });
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
  store.subscribe(reportCredits({ store, host, fetchUsage: ask }));
  return { store, told, counts };
}

test("a job's credits are handed on once, and nothing is asked", () => {
  const { store, told, counts } = setUp();
  const credits = { charged: 1, remaining: 92, limit: 100 };
  for (const state of ["running", "done"] as const) store.dispatch(heard({ type: "job", state, credits }));
  store.dispatch({ type: "followed", batch: 1 });
  expect(told).toEqual([7, 8]);
  expect(counts.asked).toBe(0);
});

test("a job that ended without telling has the server asked, once", () => {
  const { store, told, counts } = setUp();
  store.dispatch({ type: "followed", batch: 1 });
  store.dispatch({ type: "pictures-cleared" });
  expect(told).toEqual([]);
  expect(counts.asked).toBe(1);
});

test("a guest's credits are remembered as the server took them, before the results have arrived", () => {
  const { store } = setUp();
  store.subscribe(rememberGuestUsage(store));
  store.dispatch({ type: "caller-known", caller: { id: "guest", tier: "guest" } });
  store.dispatch(heard({ type: "job", state: "running", credits: { charged: 2, remaining: 3, limit: 5 } }));
  expect(store.read().guestUsage).toEqual({ used: 2, limit: 5 });
});
