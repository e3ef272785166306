import { expect, test } from "vitest";
import { createMemoryRateLimits } from "../../platform/rate-limits/memory.ts";
import { heldClock } from "../../testing/harness.ts";
import { createGuesses } from "./guesses.ts";

test("the more wrong guesses, the longer the wait: forty a day at most, and the owner is told once", async () => {
  const clock = heldClock();
  const guesses = createGuesses({ rateLimits: createMemoryRateLimits({ clock }), secret: "s" });
  let checked = 0;
  let alarms = 0;
  for (let minute = 0; minute < 1_440; minute++) {
    for (let i = 0; i < 20; i++) {
      const { isAllowed, isAlarm } = await guesses.take("ann@example.com");
      if (isAllowed) checked++;
      if (isAlarm) alarms++;
    }
    if (minute === 0) expect(checked).toBe(5);
    if (minute === 9) expect(checked).toBe(10);
    if (minute === 59) expect(checked).toBe(20);
    clock.advance(60_000);
  }
  expect({ checked, alarms }).toEqual({ checked: 40, alarms: 1 });
  clock.advance(60_000);
  expect((await guesses.take("ann@example.com")).isAllowed).toBe(true);
});

test("a right guess does not count, and somebody else's account is not concerned", async () => {
  const guesses = createGuesses({ rateLimits: createMemoryRateLimits({ clock: heldClock() }), secret: "s" });
  for (let i = 0; i < 100; i++) {
    expect((await guesses.take("ann")).isAllowed).toBe(true);
    await guesses.refund("ann");
  }
  for (let i = 0; i < 6; i++) await guesses.take("ann");
  expect((await guesses.take("ann")).isAllowed).toBe(false);
  expect((await guesses.take("bob")).isAllowed).toBe(true);
});
