import { expect, test } from "vitest";
import { stepsOf } from "../../lib/day-steps.ts";
import { creditsByPlan, creditsByTool, periodDays, periods, revenueSeries } from "./figure-series.ts";

const now = new Date("2028-03-31T23:30:00Z");

test("a period ends today, in UTC; months begin with their first day, in leap years too", () => {
  expect(periods.map((period) => periodDays(period, now))).toEqual([
    { from: "2028-03-02", to: "2028-03-31", by: "day" },
    { from: "2028-01-02", to: "2028-03-31", by: "day" },
    { from: "2027-04-01", to: "2028-03-31", by: "month" },
    { from: "2025-04-01", to: "2028-03-31", by: "month" },
  ]);
});

test("every day and month of a span has a step", () => {
  const days = stepsOf({ from: "2028-02-28", to: "2028-03-01", by: "day" });
  expect(days).toEqual([
    { step: "2028-02-28", label: "Feb 28" },
    { step: "2028-02-29", label: "Feb 29" },
    { step: "2028-03-01", label: "Mar 1" },
  ]);
  const months = stepsOf({ from: "2027-11-30", to: "2028-01-01", by: "month" });
  expect(months.map(({ label }) => label)).toEqual(["Nov 2027", "Dec 2027", "Jan 2028"]);
});

test("each currency is a series of its own, and what was paid in test mode is added to none", () => {
  const steps = stepsOf({ from: "2028-03-01", to: "2028-03-02", by: "day" });
  const row = {
    step: "2028-03-02",
    currency: "USD",
    is_test: false,
    payments: 1,
    paid_minor: 500,
    refunded_minor: 200,
  };
  const series = revenueSeries(steps, [
    { ...row, is_test: true },
    { ...row, step: "2028-03-01", currency: "INR" },
    { ...row, currency: "USD" },
  ] as Parameters<typeof revenueSeries>[1]);
  expect(series).toEqual([
    { currency: "INR", isTest: false, payments: [1, 0], paidMinor: [500, 0], refundedMinor: [200, 0] },
    { currency: "USD", isTest: false, payments: [0, 1], paidMinor: [0, 500], refundedMinor: [0, 200] },
    { currency: "USD", isTest: true, payments: [0, 1], paidMinor: [0, 500], refundedMinor: [0, 200] },
  ]);
});

test("credits are summed by plan in the order of plans, and by tool with the most used first", () => {
  const steps = stepsOf({ from: "2028-03-01", to: "2028-03-01", by: "day" });
  const row = { step: "2028-03-01", files: 1 };
  const figures = [
    { ...row, plan: null, operation: "resize", credits: 1 },
    { ...row, plan: "pro", operation: "compress", credits: 2 },
    { ...row, plan: "guest", operation: "resize", credits: 3 },
  ] as Parameters<typeof creditsByPlan>[1];
  expect(creditsByPlan(steps, figures)).toEqual([
    { label: "Guests", values: [3] },
    { label: "Pro", values: [2] },
    { label: "Not recorded", values: [1] },
  ]);
  expect(creditsByTool(steps, figures).map(({ values }) => values)).toEqual([[4], [2]]);
});
