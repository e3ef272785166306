import { text } from "@tintype/contract";
import { type Api, isRetryable } from "@tintype/contract/api";
import { retryDelayMs, waitForNetwork } from "../../../lib/wait.ts";
import type { Choice } from "../pricing/plan-offer.ts";
import type { Paid } from "./load-checkout.ts";
import { fail } from "./pay.ts";

/** Retries after the first attempt: the payment has been made, so a broken connection must not be final. */
const maxRetries = 3;

/** Reports the payment to the server, which verifies it with the gateway, and returns the plan's new state. @throws PaymentProblem */
export async function confirmPayment(api: Api, { plan, cycle }: Choice, paid: Paid) {
  const { razorpay_payment_id, razorpay_subscription_id, razorpay_signature } = paid;
  const ids = { razorpay_payment_id, razorpay_subscription_id, razorpay_signature };
  const json = { plan, billing_cycle: cycle, payment_status: "success", ...ids };
  const never = new AbortController().signal;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.call("POST /upgrade-plan", { json });
    } catch (problem) {
      if (attempt > maxRetries || !isRetryable(problem)) return fail(text.upgradeFailed, text.upgradeRefused)(problem);
      await waitForNetwork(retryDelayMs({ attempt }), never);
    }
  }
}
