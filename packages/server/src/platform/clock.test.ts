import { expect, test } from "vitest";
import { dayAfter, openDatabaseClock, skewProblem } from "./clock.ts";

test("the database's time counts, whatever the system's clock says", async () => {
  const databaseTime = new Date("2031-05-06T07:08:09Z");
  const clock = await openDatabaseClock(async () => databaseTime, { onProblem() {} });
  expect(Math.abs(clock.now().getTime() - databaseTime.getTime())).toBeLessThan(60_000);
  clock.close();
});

test("the day after the last of a month or year", () => {
  expect(["2026-02-28", "2028-02-28", "2026-12-31"].map(dayAfter)).toEqual(["2026-03-01", "2028-02-29", "2027-01-01"]);
});

test("a clock that is minutes off the database's is told, and which way", () => {
  expect([-1_900, 1_900].map(skewProblem)).toEqual([undefined, undefined]);
  expect(skewProblem(600_000)).toMatch(/^This machine's clock is 600 s ahead of the database's: synchronize both/);
  expect(skewProblem(-61_000)).toMatch(/^This machine's clock is 61 s behind the database's/);
});
