// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../ui/testing/modal-dialogs.ts";
import { info, onPlus, renderBilling } from "../testing/render-billing.tsx";
import { SubscriptionLine } from "./subscription-line.tsx";

fillInModalDialogs();
afterEach(cleanup);

const address = "POST /cancel-subscription/{subscription_id}";
const renderLine = (options: Partial<Parameters<typeof renderBilling>[1]>) =>
  renderBilling((customer) => <SubscriptionLine customer={customer} />, { answers: {}, ...options });
const cancelled = { ...onPlus, subscription_status: "cancellation_scheduled" } as const;
async function cancel() {
  await userEvent.click(screen.getByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Cancel Subscription" }));
}

test("each state has its words, and cancelling is there only where there is something to cancel", () => {
  const link = () => screen.queryByRole("button", { name: "Cancel Subscription" });
  renderLine({ person: onPlus });
  expect(screen.getByText("Active!")).toBeDefined();
  expect(link()).not.toBeNull();
  cleanup();
  renderLine({ person: cancelled });
  expect(screen.getByText("Scheduled for Cancellation")).toBeDefined();
  expect(screen.getByText("Plus ends on December 21, 2026. You will not be charged again.")).toBeDefined();
  expect(link()).toBeNull();
  cleanup();
  renderLine({ person: { ...onPlus, subscription_status: "past_due" } });
  expect(screen.getByText("Payment failed")).toBeDefined();
  expect(link()).not.toBeNull();
  cleanup();
  renderLine({ person: info });
  expect(link()).toBeNull();
});

test("a granted plan is told with its day, beside a subscription too, and leaves nothing to cancel of its own", () => {
  const granted = { plan: "pro", granted_until: "2026-12-25T00:00:00.000Z" } as const;
  renderLine({ person: { ...info, ...granted } });
  expect(screen.getByText("Pro until December 25, 2026, granted")).toBeDefined();
  expect(screen.getByText("You pay nothing. After that you are on Hobby.")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Cancel Subscription" })).toBeNull();
  cleanup();
  renderLine({ person: { ...onPlus, ...granted } });
  expect(screen.getByText("Billed monthly, next on December 21, 2026.")).toBeDefined();
  expect(screen.getByText("Pro until December 25, 2026, granted.")).toBeDefined();
  expect(screen.getByRole("button", { name: "Cancel Subscription" })).toBeDefined();
});

test("a subscription that is cancelled says when it ends", async () => {
  const { said } = renderLine({
    person: onPlus,
    refreshed: () => cancelled,
    answers: { [address]: () => ({ cancel_at: "2026-12-21T10:00:00.000Z" }) },
  });
  await cancel();
  await waitFor(() => expect(screen.getByText("Scheduled for Cancellation")).toBeDefined());
  expect(said).toEqual(["Subscription cancellation scheduled for December 21, 2026"]);
  expect(document.activeElement?.textContent).toBe("Scheduled for Cancellation");
});

test.each([
  ["the server refuses", new ApiProblem({ status: 404, detail: "" }), "Failed to cancel subscription."],
  ["nothing comes back", new ConnectionLost(), "An error occurred while cancelling the subscription."],
])("where %s, that is told and it is as it was", async (_, problem, words) => {
  const { said } = renderLine({ person: onPlus, answers: { [address]: () => Promise.reject(problem) } });
  await cancel();
  await waitFor(() => expect(said).toEqual([words]));
  expect(screen.getByText("Active!")).toBeDefined();
});

test("without an id of the subscription nothing is asked", async () => {
  const { said, asked } = renderLine({ person: { ...onPlus, subscription_id: null } });
  await cancel();
  await waitFor(() => expect(said).toEqual(["No subscription ID found. Please refresh the page."]));
  expect(asked).toEqual([]);
});

test("the dialog names the day on which the plan ends, and the change that is cancelled with it", async () => {
  renderLine({ person: { ...onPlus, next_plan: "pro", next_billing_date: onPlus.renewal_date } });
  expect(screen.getByText("Plus is paid until December 21, 2026.")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^Plus ends on December 21, 2026, .* The change to Pro is cancelled too\.$/)).toBeDefined();
});

test("a change to yearly billing of the same plan says the cycle, the price and the day, and what can be kept", () => {
  const change = {
    next_plan: "plus",
    next_billing_date: onPlus.renewal_date,
    next_billing_cycle: "yearly",
    next_plan_price: { amount_minor: 5400, currency: "USD" },
    keep_until: "2026-12-21T08:55:00.000Z",
  } as const;
  renderLine({ person: { ...onPlus, ...change } });
  const sentence = "Plus is billed yearly at $54 from December 21, 2026. You will first be charged that day.";
  expect(screen.getByText(sentence)).toBeDefined();
  expect(screen.getByRole("button", { name: "Keep monthly billing" })).toBeDefined();
  cleanup();
  renderLine({ person: { ...onPlus, ...change, next_plan: "pro", next_billing_cycle: "monthly" } });
  expect(screen.getByText(/^Pro starts on December 21, 2026, billed monthly at \$54[.]/)).toBeDefined();
});

test("a cancellation is taken back with one click, and a refusal says why", async () => {
  const keepable = { ...cancelled, keep_until: "2026-12-21T08:55:00.000Z" };
  const { said } = renderLine({
    person: keepable,
    refreshed: () => onPlus,
    answers: { "POST /keep-plan": () => ({ plan: "plus" }) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Keep my plan" }));
  await waitFor(() => expect(screen.getByText("Active!")).toBeDefined());
  expect(said).toEqual(["You keep Plus."]);
  // The button that had the focus was removed.
  expect(document.activeElement?.textContent).toBe("Active!");
  cleanup();
  const refused = new ApiProblem({ status: 409, detail: "Plus ends today." });
  const late = renderLine({
    person: keepable,
    refreshed: () => cancelled,
    answers: { "POST /keep-plan": () => Promise.reject(refused) },
  });
  await userEvent.click(screen.getByRole("button", { name: "Keep my plan" }));
  await waitFor(() => expect(late.said).toEqual(["Plus ends today."]));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Keep my plan" })).toBeNull());
});
