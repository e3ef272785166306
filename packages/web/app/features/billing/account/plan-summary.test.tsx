// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import type { UserInfo } from "@tintype/contract";
import { MemoryRouter } from "react-router";
import { afterEach, expect, test } from "vitest";
import { info, onPlus } from "../testing/render-billing.tsx";
import { PlanSummary } from "./plan-summary.tsx";

afterEach(cleanup);
const show = (person: UserInfo) =>
  render(
    <MemoryRouter>
      <PlanSummary info={person} />
    </MemoryRouter>,
  );
const usd = (amount_minor: number) => ({ amount_minor, currency: "USD" }) as const;

test("the card shows the price that its owner pays, and the one to come with its day", () => {
  const next_price = { ...usd(600), from: "2027-05-10T12:00:00.000Z" };
  show({ ...onPlus, price: usd(450), next_price });
  expect(screen.getByText("$4.50 a month")).toBeDefined();
  expect(screen.getByText("$6 a month from May 10, 2027")).toBeDefined();
  cleanup();
  show({
    ...onPlus,
    billing_cycle: "yearly",
    price: usd(5400),
    plan: "pro",
    granted_until: "2027-01-01T00:00:00.000Z",
  });
  expect(screen.getByText("Plus: $54 a year")).toBeDefined();
  cleanup();
  show({ ...onPlus, subscription_status: "cancellation_scheduled" });
  expect(screen.getByText("Paid at $5 a month")).toBeDefined();
  cleanup();
  show(info);
  expect(screen.queryByText(/a month$/)).toBeNull();
});
