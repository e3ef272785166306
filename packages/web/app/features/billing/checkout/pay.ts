import { type ChangeQuote, planLabels, text, type UserInfo } from "@tintype/contract";
import { type Api, ApiProblem } from "@tintype/contract/api";
import { brand } from "../../../lib/brand.ts";
import type { Choice } from "../pricing/plan-offer.ts";
import { type CheckoutOptions, loadCheckout, type Paid } from "./load-checkout.ts";

/** Something on the way did not work, and the sentence says what. */
export class PaymentProblem extends Error {
  override readonly name = "PaymentProblem";
}

/** Our accent, in the one form that a gateway takes a colour in; an operator's goes first. */
const accent = "#cc3d26";

type Ready = Awaited<ReturnType<typeof loadCheckout>>;
/** A checkout that can be opened at once. */
export type PreparedCheckout = { Checkout: Ready; options: Omit<CheckoutOptions, "handler" | "modal"> };

/** Begins a subscription and brings the gateway's script over. @throws PaymentProblem */
export async function prepareCheckout(
  api: Api,
  { choice: { plan, cycle }, quote, info }: { choice: Choice; quote: ChangeQuote; info: UserInfo },
): Promise<PreparedCheckout> {
  const { mode, charge_today_minor, price_minor, currency, refund } = quote;
  // The server begins nothing at other amounts than the ones that were shown.
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
  const { url } = await api.locate("/");
  return new URL(payments.checkout_script, new URL(url, window.location.href)).href;
}

/** Opens the checkout. Undefined where it was closed without a payment; `onFailed` hears of a card that is refused. */
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

/** For `catch`: turns what went wrong into a sentence, the server's own where it gave one. */
export function fail(unreached: string, refused?: string): (problem: unknown) => never {
  return (problem) => {
    const isRefusal = refused !== undefined && problem instanceof ApiProblem;
    throw new PaymentProblem(isRefusal ? problem.detail || refused : unreached, { cause: problem });
  };
}
