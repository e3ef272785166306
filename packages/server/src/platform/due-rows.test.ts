import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDueRows } from "./due-rows.ts";

test("a run takes all that is due, also where what was in hand ends while it looks for more", async () => {
  const rows = [1, 2, 3, 4, 5, 6];
  const attempted: number[] = [];
  let ends: (() => void)[] = [];
  const due = createDueRows({
    async take(busy) {
      if (busy.length === 0) return rows.shift();
      for (const end of ends) end();
      ends = [];
      await turn();
      return undefined;
    },
    ownerOf: () => "one owner",
    attempt(row: number) {
      attempted.push(row);
      return new Promise<void>((end) => void ends.push(end));
    },
    log: { error() {} },
    what: "a row",
  });
  await due.runDue();
  expect(attempted).toEqual([1, 2, 3, 4, 5, 6]);
  await due.close();
});
