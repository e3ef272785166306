import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchTime } from "./time-limit.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Watches a process that gets this share of a core. Returns after how many ms it took too long. */
function tooLongAfter(share: number | undefined): number | undefined {
  const startedAt = performance.now();
  const passed = () => performance.now() - startedAt;
  let after: number | undefined;
  watchTime({
    limitMs: 1000,
    usedMs: () => (share === undefined ? undefined : 500 + passed() * share),
    onTooLong() {
      expect(after).toBeUndefined();
      after = passed();
    },
  });
  vi.advanceTimersByTime(60_000);
  return after;
}

test.each([
  ["that has a core", 1, 1000],
  ["that has two cores", 2, 1000],
  ["that has half a core", 0.5, 1000],
  ["of a machine that does not tell", undefined, 1000],
  ["that hangs", 0, 4000],
])("a process %s has its time", (_, share, expected) => {
  expect(tooLongAfter(share)).toBe(expected);
});

test("a process that others keep from the processor has longer", () => {
  expect(tooLongAfter(0.2)).toBeGreaterThan(2400);
  expect(tooLongAfter(0.2)).toBeLessThanOrEqual(4000);
});

test("a process that has ended in time is no longer watched", () => {
  const onTooLong = vi.fn();
  const end = watchTime({ limitMs: 1000, usedMs: () => 0, onTooLong });
  vi.advanceTimersByTime(1500);
  end();
  vi.advanceTimersByTime(60_000);
  expect(onTooLong).not.toHaveBeenCalled();
});
