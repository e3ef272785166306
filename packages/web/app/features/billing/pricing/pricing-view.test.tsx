// @vitest-environment jsdom
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { planLabels } from "@tintype/contract";
import { ApiProblem, ConnectionLost } from "@tintype/contract/api";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fillInModalDialogs } from "../../../ui/testing/modal-dialogs.ts";
import type { CheckoutOptions } from "../checkout/load-checkout.ts";
import { info, onPlus, renderBilling } from "../testing/render-billing.tsx";
import { PricingView } from "./pricing-view.tsx";

fillInModalDialogs();

/** What the test does when the checkout opens, and the options it was created with. */
let atCheckout: (options: CheckoutOptions, fail: () => void) => void;
let opened: CheckoutOptions | undefined;
class FakeCheckout {
  #options: CheckoutOptions;
  #fail: () => void = () => undefined;
  constructor(options: CheckoutOptions) {
    this.#options = options;
  }
  on(_event: string, listener: () => void) {
    this.#fail = listener;
  }
  open() {
    opened = this.#options;
    atCheckout(this.#options, this.#fail);
  }
}
const paid = { razorpay_payment_id: "pay_1", razorpay_subscription_id: "sub_2", razorpay_signature: "sig" };

beforeEach(() => {
  opened = undefined;
  atCheckout = ({ handler }) => handler(paid);
  Reflect.set(window, "Razorpay", FakeCheckout);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const today = {
  mode: "now",
  begins_at: "2026-11-21T10:00:00.000Z",
  charge_today_minor: 500,
  price_minor: 500,
  currency: "USD",
  next_charge_at: "2026-12-21T10:00:00.000Z",
  refund: null,
};
const later = {
  ...today,
  mode: "at_renewal",
  begins_at: "2026-12-21T10:00:00.000Z",
  charge_today_minor: 0,
  price_minor: 1000,
};
const upgrade = {
  ...today,
  charge_today_minor: 1000,
  price_minor: 1000,
  refund: { plan: "plus", days: 21, amount_minor: 338, currency: "USD" },
};
const answers = {
  "GET /plan-change": () => ({ ways: [today] }) as unknown,
  "GET /get-location": () => ({ country: "US", currency: "USD" }) as unknown,
  "POST /create-payment-session": () => ({ payment_gateway: "razorpay", subscription_id: "sub_2" }) as unknown,
  "GET /razorpay-key": () => ({ key: "rzp_test_1" }) as unknown,
  "GET /config": () => ({ payments: { checkout_script: "/sandbox/razorpay/checkout.js" } }) as unknown,
  "POST /upgrade-plan": () => ({ plan: "plus", next_plan: null, next_billing_date: null }) as unknown,
};
type Options = Parameters<typeof renderBilling>[1];
const renderPricing = (options: Partial<Options> = {}) =>
  renderBilling((customer) => <PricingView customer={customer} />, {
    ...options,
    answers: { ...answers, ...options.answers },
  });
const card = (plan: string) => within(screen.getByRole("region", { name: plan }));
const labels = () =>
  ["Hobby", "Mini", "Plus", "Pro"].map((plan) => card(plan).getAllByRole("button")[0]?.textContent ?? "");
async function chooseAndConfirm(plan: string) {
  const user = userEvent.setup();
  await screen.findByText("$5");
  await user.click(card(plan).getByRole("button", { name: "Upgrade" }));
  await screen.findByText("Charged today");
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  return user;
}

test("prices are loading until the place is known, are those of its currency, and yearly saves 10%", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  renderPricing({ answers: { "GET /get-location": () => promise } });
  expect(card("Mini").getByText("Loading...")).toBeDefined();
  expect(card("Hobby").getByText("Free")).toBeDefined();
  resolve({ country: "IN", currency: "INR" });
  expect(await card("Mini").findByText("₹255")).toBeDefined();
  await userEvent.click(screen.getByRole("radio", { name: "Yearly Save 10%" }));
  expect(card("Pro").getByText("₹9,130")).toBeDefined();
  expect(card("Pro").getByText("₹760.83 a month, you save ₹1,010")).toBeDefined();
  expect(screen.getByText(/^Prices include taxes[.]/)).toBeDefined();
});

test("a place that cannot be told is told, and it is US dollars", async () => {
  const { said } = renderPricing({ answers: { "GET /get-location": () => Promise.reject(new ConnectionLost()) } });
  expect(await card("Plus").findByText("$5")).toBeDefined();
  expect(said).toEqual(["Failed to fetch location!"]);
});

test("a signed-out person is asked to log in by any plan", async () => {
  const { counts } = renderPricing();
  expect(labels()).toEqual(["Try Now", "Get Started", "Get Started", "Get Started"]);
  await userEvent.click(card("Pro").getByRole("button", { name: "Get Started" }));
  expect(counts.logIns).toBe(1);
});

test("one's own plan cannot be chosen, and Hobby by a cancellation, once, which must be final", async () => {
  const cancelled = { ...onPlus, subscription_status: "cancellation_scheduled" } as const;
  const { said } = renderPricing({
    person: onPlus,
    refreshed: () => cancelled,
    answers: { "POST /cancel-subscription/{subscription_id}": () => ({ cancel_at: "2026-12-21T10:00:00.000Z" }) },
  });
  await screen.findByText("$5");
  expect(labels()).toEqual(["Switch", "Switch at renewal", "Current Plan", "Upgrade now"]);
  expect(card("Plus").getByRole<HTMLButtonElement>("button", { name: "Current Plan" }).disabled).toBe(true);
  await userEvent.click(card("Hobby").getByRole("button", { name: "Switch" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Cancel Subscription" }));
  expect(dialog.getByText(/^Plus ends on December 21, 2026, and you move to Hobby/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel Subscription" }));
  await waitFor(() => expect(said).toEqual(["Subscription cancellation scheduled for December 21, 2026"]));
  await userEvent.click(card("Hobby").getByRole("button", { name: "Switch" }));
  await waitFor(() => expect(said.at(-1)).toBe("You cannot switch to Hobby until cancellation finalizes."));
});

test("with a change scheduled another is refused, by its plan and its day", async () => {
  const next = {
    next_plan: "pro",
    next_billing_date: "2026-12-21T10:00:00.000Z",
    next_billing_cycle: "monthly",
    next_plan_price: { amount_minor: 1000, currency: "USD" },
  } as const;
  const { said, asked } = renderPricing({ person: { ...onPlus, ...next } });
  await screen.findByText("$5");
  expect(
    card("Pro").getByText(
      "Pro, billed monthly at $10, is scheduled for December 21, 2026. Plus stays until then. You will first be charged that day.",
    ),
  ).toBeDefined();
  expect(card("Pro").getByRole<HTMLButtonElement>("button", { name: "Scheduled" }).disabled).toBe(true);
  expect(card("Mini").getByRole<HTMLButtonElement>("button", { name: "Switch" }).disabled).toBe(true);
  expect(card("Mini").getByText("You already have Pro scheduled for December 21, 2026.")).toBeDefined();
  expect(said).toEqual([]);
  expect(asked.map(({ address }) => address)).toEqual(["GET /get-location"]);
});

test("a cancelled plan is kept with one click; too near its end it can be had again, and one's plan in the other cycle", async () => {
  const cancelled = { ...onPlus, subscription_status: "cancellation_scheduled" } as const;
  const { said, asked } = renderPricing({
    person: { ...cancelled, keep_until: "2026-12-21T08:55:00.000Z" },
    refreshed: () => onPlus,
    answers: { "POST /keep-plan": () => ({ plan: "plus" }) },
  });
  await screen.findByText("$5");
  await userEvent.click(card("Plus").getByRole("button", { name: "Keep my plan" }));
  await waitFor(() => expect(said).toEqual(["You keep Plus."]));
  expect(asked.at(-1)?.address).toBe("POST /keep-plan");
  await waitFor(() => expect(card("Plus").queryByRole("button", { name: "Keep my plan" })).toBeNull());
  cleanup();
  renderPricing({ person: cancelled, answers: { "GET /plan-change": () => ({ ways: [later] }) } });
  await screen.findByText("$5");
  expect(card("Plus").getByRole("button", { name: "Subscribe again" })).toBeDefined();
  await userEvent.click(screen.getByRole("radio", { name: "Yearly Save 10%" }));
  await userEvent.click(card("Plus").getByRole("button", { name: "Switch to yearly at renewal" }));
  const lead =
    "Nothing is charged today. Plus stays as it is until December 21, 2026. From then on it is billed yearly at $10.";
  expect(await screen.findByText(lead)).toBeDefined();
});

test("an upgrade now says in one sum what is charged less what goes back, and the server is told the amounts that were shown", async () => {
  const { asked, said } = renderPricing({
    person: onPlus,
    answers: { "GET /plan-change": () => ({ ways: [later, upgrade] }) },
  });
  await screen.findByText("$5");
  await userEvent.click(card("Pro").getByRole("button", { name: "Upgrade now" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm Pro, monthly" }));
  expect(await dialog.findByText("Pro begins as soon as you have paid, and Plus ends.")).toBeDefined();
  expect(dialog.getByText("$6.62")).toBeDefined();
  const why = "Your card is charged $10 today, and $3.38 for 21 unused days of Plus goes back to it within a few days.";
  expect(dialog.getByText(why)).toBeDefined();
  expect(dialog.getByText(/^\$10 on December 21, 2026, then every month/)).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(said).toEqual(["Subscribed to Pro successfully!"]));
  expect(asked.find(({ address }) => address === "POST /create-payment-session")?.json).toMatchObject({
    mode: "now",
    agreed: { charge_today_minor: 1000, refund_minor: 338 },
  });
});

test("where more goes back than is charged, the sum is what comes back; sums in two currencies stay two", async () => {
  let refund = { ...upgrade.refund, amount_minor: 2950 };
  renderPricing({ person: onPlus, answers: { "GET /plan-change": () => ({ ways: [{ ...upgrade, refund }] }) } });
  await screen.findByText("$5");
  await userEvent.click(card("Pro").getByRole("button", { name: "Upgrade now" }));
  expect((await screen.findByText("You get back")).nextElementSibling?.textContent).toMatch(/^\$19[.]50Your card is/);
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  refund = { ...refund, currency: "INR" };
  await userEvent.click(card("Pro").getByRole("button", { name: "Upgrade now" }));
  expect(await screen.findByText("₹29.50 for 21 unused days of Plus")).toBeDefined();
  expect(screen.getByText("Charged today").nextElementSibling?.textContent).toBe("$10");
});

test("who was granted a plan can still buy one, and what is bought depends on the subscription alone", () => {
  const granted = { plan: "pro", granted_until: "2026-12-25T00:00:00.000Z" } as const;
  renderPricing({ person: { ...info, ...granted } });
  expect(card("Pro").getByText("Granted until December 25, 2026.")).toBeDefined();
  expect(labels()).toEqual(["Next Plan", "Subscribe", "Subscribe", "Subscribe"]);
  cleanup();
  renderPricing({ person: { ...onPlus, ...granted } });
  expect(labels()).toEqual(["Switch", "Switch at renewal", "Current Plan", "Upgrade now"]);
});

// product: plan-recommended
test("Plus is recommended to guests and on Hobby, and never to somebody whose plan is not known yet or who pays", async () => {
  const badges = () => screen.queryAllByText("Recommended").length;
  const filled = () => screen.getAllByRole("button").filter(({ className }) => className.includes("bg-accent-fill"));
  renderPricing();
  await screen.findByText("$5");
  expect(card("Plus").getByText("Recommended")).toBeDefined();
  expect(badges()).toBe(1);
  expect(filled()).toEqual([card("Plus").getByRole("button", { name: "Get Started" })]);
  cleanup();
  renderPricing({ kind: "unknown" });
  // The page does not know yet; CSS hides it if somebody was signed in.
  expect(card("Plus").getByText("Recommended").className).toContain("in-data-session:invisible");
  const button = card("Plus").getByRole("button", { name: "Get Started" });
  expect(button.parentElement?.className).toContain("in-data-session:invisible");
  cleanup();
  renderPricing({ kind: "person" });
  expect(badges()).toBe(0);
  cleanup();
  renderPricing({ person: info });
  expect(card("Plus").getByText("Recommended").className).not.toContain("invisible");
  expect(filled()).toEqual([card("Plus").getByRole("button", { name: "Upgrade" })]);
  for (const plan of ["mini", "plus", "pro"] as const) {
    cleanup();
    renderPricing({ person: { ...onPlus, plan, paid_plan: plan } });
    expect(badges()).toBe(0);
  }
});

test.each([
  ["pro", "mini", "Mini, billed monthly at $10, is scheduled for December 21, 2026. Pro stays until then."],
  ["plus", "plus", "Plus is billed yearly at $10 from December 21, 2026."],
] as const)("a change from %s to %s at renewal is told as scheduled, never as subscribed", async (own, plan, words) => {
  const person = { ...onPlus, plan: own, paid_plan: own };
  const next = {
    next_plan: plan,
    next_billing_date: "2026-12-21T10:00:00.000Z",
    next_billing_cycle: plan === own ? ("yearly" as const) : ("monthly" as const),
    next_plan_price: { amount_minor: 1000, currency: "USD" as const },
  };
  const { said } = renderPricing({
    person,
    refreshed: () => ({ ...person, ...next }),
    answers: { "GET /plan-change": () => ({ ways: [later] }), "POST /upgrade-plan": () => ({ plan: own, ...next }) },
  });
  await screen.findByText("$5");
  if (plan === own) await userEvent.click(screen.getByRole("radio", { name: "Yearly Save 10%" }));
  await userEvent.click(
    await screen.findByRole("button", { name: /^Switch (at|to yearly)/, description: planLabels[plan] }),
  );
  await screen.findByText("Charged today");
  await userEvent.click(screen.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(said).toEqual([words]));
  expect(await card(planLabels[plan]).findByText(`${words} You will first be charged that day.`)).toBeDefined();
});

test("a switch at renewal charges nothing today", async () => {
  const { asked } = renderPricing({
    person: onPlus,
    answers: { "GET /plan-change": () => ({ ways: [later, upgrade] }) },
  });
  await screen.findByText("$5");
  await userEvent.click(card("Pro").getByRole("button", { name: "Switch at renewal" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm Pro, monthly" }));
  expect(await dialog.findByText("$0")).toBeDefined();
  expect(dialog.getByText("First charge")).toBeDefined();
  await userEvent.click(dialog.getByRole("button", { name: "Confirm" }));
  await waitFor(() =>
    expect(asked.find(({ address }) => address === "POST /create-payment-session")?.json).toMatchObject({
      mode: "at_renewal",
      agreed: { charge_today_minor: 0, refund_minor: 0 },
    }),
  );
});

test("amounts that do not come are asked for again, and nothing can be confirmed without them", async () => {
  let isLost = true;
  renderPricing({
    person: info,
    answers: { "GET /plan-change": () => (isLost ? Promise.reject(new ConnectionLost()) : { ways: [today] }) },
  });
  await screen.findByText("$5");
  await userEvent.click(card("Plus").getByRole("button", { name: "Upgrade" }));
  const again = await screen.findByRole("button", { name: "Try again" });
  expect(screen.queryByRole("button", { name: "Confirm" })).toBeNull();
  isLost = false;
  await userEvent.click(again);
  expect(await screen.findByText("Charged today")).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Confirm" }).disabled).toBe(false);
});

test("a plan that was chosen before there was an account is asked about as soon as there is one", async () => {
  const { router } = renderPricing();
  await userEvent.click(screen.getByRole("radio", { name: "Yearly Save 10%" }));
  await userEvent.click(card("Plus").getByRole("button", { name: "Get Started" }));
  expect(router.state.location.search).toBe("?plan=plus&cycle=yearly");
  cleanup();
  const signedUp = renderPricing({ person: info, at: "/pricing?plan=plus&cycle=yearly" });
  expect(await screen.findByRole("dialog", { name: "Confirm Plus, yearly" })).toBeDefined();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Yearly Save 10%" }).checked).toBe(true);
  expect(signedUp.router.state.location.search).toBe("");
  expect(signedUp.asked.find(({ address }) => address === "GET /plan-change")?.query).toEqual({
    plan_id: "plus",
    billing_cycle: "yearly",
  });
});

test("after a charge that failed one's plan can be paid with another card, from now on", async () => {
  renderPricing({ person: { ...onPlus, subscription_status: "past_due" } });
  await screen.findByText("$5");
  await userEvent.click(card("Plus").getByRole("button", { name: "Pay with another card" }));
  expect(await screen.findByText("Plus begins as soon as you have paid.")).toBeDefined();
});

test("confirmed, paid and told to the server with the gateway's ids: the plan is there", async () => {
  const { said, asked, counts } = renderPricing({ person: info, refreshed: () => onPlus });
  await chooseAndConfirm("Plus");
  await waitFor(() => expect(said).toEqual(["Subscribed to Plus successfully!"]));
  expect(opened).toMatchObject({ key: "rzp_test_1", subscription_id: "sub_2", name: "Tintype" });
  expect(asked.find(({ address }) => address === "POST /create-payment-session")?.json).toEqual({
    plan_id: "plus",
    billing_cycle: "monthly",
    email: "ann@example.com",
    mode: "now",
    agreed: { charge_today_minor: 500, refund_minor: 0, price_minor: 500, currency: "USD" },
  });
  expect(asked.at(-1)).toEqual({
    address: "POST /upgrade-plan",
    json: { plan: "plus", billing_cycle: "monthly", payment_status: "success", ...paid },
  });
  await waitFor(() => expect(card("Plus").getByRole("button", { name: "Current Plan" })).toBeDefined());
  expect(counts.refreshes).toBe(1);
});

test.each([
  ["dismissed", ({ modal }: CheckoutOptions) => modal.ondismiss(), ["Payment was cancelled or failed!"]],
  [
    "refused and then closed",
    ({ modal }: CheckoutOptions, fail: () => void) => {
      fail();
      modal.ondismiss();
    },
    ["Payment was cancelled or failed!"],
  ],
])("a checkout that is %s changes nothing, and is told once", async (_, happens, sentences) => {
  atCheckout = happens;
  const { said, asked } = renderPricing({ person: info });
  await chooseAndConfirm("Plus");
  await waitFor(() => expect(said).toEqual(sentences));
  expect(asked.map(({ address }) => address)).not.toContain("POST /upgrade-plan");
  expect(labels()[2]).toBe("Upgrade");
});

test("after a card was declined and another paid, the failure is no longer said; the way back to waiting images is", async () => {
  atCheckout = ({ handler }, fail) => {
    fail();
    handler(paid);
  };
  const { said } = renderBilling((customer) => <PricingView customer={customer} waitingImages={3} />, {
    answers,
    person: info,
    refreshed: () => onPlus,
  });
  expect(screen.queryByRole("link", { name: "Back to the studio" })).toBeNull();
  await chooseAndConfirm("Plus");
  await waitFor(() => expect(said).toEqual(["Subscribed to Plus successfully!"]));
  const link = await screen.findByRole<HTMLAnchorElement>("link", { name: "Back to the studio" });
  expect(link.pathname).toBe("/");
  expect(link.parentElement?.textContent).toMatch(/^Your 3 images are still in the studio[.]/);
  // Nobody who has just paid is urged to the next plan.
  await waitFor(() => expect(card("Plus").getByRole("button", { name: "Current Plan" })).toBeDefined());
  expect(card("Pro").getByRole("button", { name: "Upgrade now" }).className).not.toContain("bg-accent-fill");
});

const refusal = (detail: string) => () => Promise.reject(new ApiProblem({ status: 409, detail }));
const lost = () => Promise.reject(new ConnectionLost());
test.each([
  ["POST /create-payment-session", refusal("You are on Plus already."), "You are on Plus already."],
  ["POST /create-payment-session", refusal(""), "Payment session creation failed."],
  ["POST /create-payment-session", lost, "Something went wrong, please try again."],
  ["GET /razorpay-key", lost, "Something went wrong. Please try again!"],
  ["POST /upgrade-plan", refusal("Not confirmed yet."), "Not confirmed yet."],
  ["POST /upgrade-plan", refusal(""), "Plan upgrade failed."],
])("%s that fails is told in a sentence", async (address, answer, words) => {
  const { said } = renderPricing({ person: info, answers: { [address]: answer } });
  await chooseAndConfirm("Plus");
  await waitFor(() => expect(said).toEqual([words]));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a script that does not come is told", async () => {
  Reflect.deleteProperty(window, "Razorpay");
  const { said } = renderPricing({ person: info });
  await chooseAndConfirm("Plus");
  const script = await waitFor(() => {
    const found = document.querySelector<HTMLScriptElement>('script[src$="/checkout.js"]');
    if (!found) throw new Error("not asked for yet");
    return found;
  });
  expect(script.src).toBe("http://localhost/sandbox/razorpay/checkout.js");
  script.dispatchEvent(new Event("error"));
  await waitFor(() => expect(said).toEqual(["Failed to load Razorpay SDK!"]));
});

// product: pricing-refresh
test("while somebody is signed in, what is known of them is asked for each minute; a failure is told", async () => {
  vi.useFakeTimers();
  let isLost = false;
  const { said, counts } = renderPricing({
    person: info,
    refreshed() {
      if (isLost) throw new ConnectionLost();
      return info;
    },
  });
  await act(() => vi.advanceTimersByTimeAsync(59_000));
  expect(counts.refreshes).toBe(0);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(counts.refreshes).toBe(1);
  isLost = true;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(said).toEqual(["Failed to refresh user info!"]);
});

test("one's own plan has the price that one pays, the others have theirs, and a price to come has its day", async () => {
  const next_price = { amount_minor: 600, currency: "USD", from: "2027-05-10T12:00:00.000Z" } as const;
  const person = { ...onPlus, price: { amount_minor: 450, currency: "USD" }, next_price } as const;
  const card = (name: string) => within(screen.getByRole("region", { name }));
  const answers = { "GET /get-location": () => ({ country: "US", currency: "USD" }) };
  const view = (customer: Parameters<Parameters<typeof renderBilling>[0]>[0]) => <PricingView customer={customer} />;
  renderBilling(view, { answers, person });
  expect(await card("Plus").findByText("$4.50")).toBeDefined();
  expect(card("Plus").getByText("$6 from May 10, 2027.")).toBeDefined();
  expect(await card("Mini").findByText("$3")).toBeDefined();
  cleanup();
  renderBilling(view, {
    answers,
    person: { ...person, next_price: null, subscription_status: "cancellation_scheduled" },
  });
  expect(await card("Plus").findByText("$5")).toBeDefined();
});
