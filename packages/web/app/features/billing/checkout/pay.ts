import { type ChangeQuote, planLabels, text, type UserInfo } from "@tintype/contract";
import { type Api, ApiProblem, isRetryable } from "@tintype/contract/api";
import { brand } from "../../../lib/brand.ts";
import { retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";
import type { Choice } from "../pricing/plan-offer.ts";
import { type CheckoutOptions, loadCheckout, type Paid } from "./load-checkout.ts";

/** A step of the payment failed; the message says why. */
export class PaymentProblem extends Error {
  override readonly name = "PaymentProblem";
}

/** Our accent, as hex, which is the only form the gateway accepts. An operator's colour takes precedence. */
const accent = "#cc3d26";

type Ready = Awaited<ReturnType<typeof loadCheckout>>;
/** A checkout that can be opened without further waiting. */
export type PreparedCheckout = { Checkout: Ready; options: Omit<CheckoutOptions, "handler" | "modal"> };

/** Creates a subscription and loads the gateway's script. @throws PaymentProblem */
export async function prepareCheckout(
  api: Api,
  { choice: { plan, cycle }, quote, info }: { choice: Choice; quote: ChangeQuote; info: UserInfo },
): Promise<PreparedCheckout> {
  const { mode, charge_today_minor, price_minor, currency, refund } = quote;
  // The server refuses to start at amounts other than those shown.
  const agreed = { charge_today_minor, refund_minor: refund?.amount_minor ?? 0, price_minor, currency };
  const json = { plan_id: plan, billing_cycle: cycle, email: info.email, mode, agreed };
  const [session, key, Checkout] = await Promise.all([
    api.call("POST /create-payment-session", { json }).catch(fail(text.sessionFailed, text.sessionRefused)),
    api.call("GET /razorpay-key", {}).catch(fail(text.somethingWrong)),
    findScript(api).then((address) => loadCheckout(address).catch(fail(text.checkoutFailedToLoad))),
  ]);
  if (session.payment_gateway !== "razorpay") throw new PaymentProblem(text.somethingWrong);
  return {
    Checkout,
    options: {
      key: key.key,
      subscription_id: session.subscription_id,
      name: brand.name,
      description: `${planLabels[plan]}, ${cycle}`,
      prefill: { name: info.name, email: info.email },
      theme: { color: brand.accent ?? accent },
    },
  };
}

async function findScript(api: Api): Promise<string> {
  const { payments } = await api.call("GET /config", {}).catch(fail(text.somethingWrong));
  if (!payments) throw new PaymentProblem(text.somethingWrong);
  const { url } = await api.locate("/");
  return new URL(payments.checkout_script, new URL(url, window.location.href)).href;
}

/** Opens the checkout. Resolves to undefined when it is closed without a payment; `onFailed` is called when a card is declined. */
export function openCheckout({ Checkout, options }: PreparedCheckout, onFailed: () => void): Promise<Paid | undefined> {
  return new Promise((resolve) => {
    const checkout = new Checkout({
      ...options,
      handler: resolve,
      modal: { ondismiss: () => resolve(undefined) },
    });
    checkout.on("payment.failed", onFailed);
    checkout.open();
  });
}

/** Retries after the first attempt: the payment has been made, so a broken connection must not be final. */
const maxRetries = 3;

/** Reports the payment to the server, which verifies it with the gateway, and returns the plan's new state. @throws PaymentProblem */
export async function confirmPayment(api: Api, { plan, cycle }: Choice, paid: Paid) {
  const { razorpay_payment_id, razorpay_subscription_id, razorpay_signature } = paid;
  const ids = { razorpay_payment_id, razorpay_subscription_id, razorpay_signature };
  const json = { plan, billing_cycle: cycle, payment_status: "success", ...ids };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.call("POST /upgrade-plan", { json });
    } catch (problem) {
      if (attempt > maxRetries || !isRetryable(problem)) return fail(text.upgradeFailed, text.upgradeRefused)(problem);
      await waitForNetwork(retryDelayMs({ attempt }));
    }
  }
}

/** For `catch`: turns the failure into a message, the server's own where it sent one. */
function fail(unreached: string, refused?: string): (problem: unknown) => never {
  return (problem) => {
    const isRefusal = refused !== undefined && problem instanceof ApiProblem;
    throw new PaymentProblem(isRefusal ? problem.detail || refused : unreached, { cause: problem });
  };
}
