import { expect, test } from "vitest";
import { createCreditCap } from "./credit-cap.ts";

test("calls at the same time hold their prices: together they take no more than the cap", () => {
  const cap = createCreditCap(5);
  const settleFirst = cap.hold(3);
  expect(() => cap.hold(3)).toThrow("This would take 3 credits, and 2 of the 5 that this session may take are left.");
  const settleSecond = cap.hold(2);
  expect(cap.taken()).toBe(5);
  settleFirst(1);
  settleSecond(0);
  expect(cap.taken()).toBe(1);
  cap.hold(4);
  expect(() => cap.hold(1)).toThrow(expect.objectContaining({ code: "out-of-credits" }));
});

test("what costs nothing is done at a cap of zero, too", () => {
  const cap = createCreditCap(0);
  cap.hold(0)(0);
  expect(() => cap.hold(1)).toThrow("0 of the 0");
});
