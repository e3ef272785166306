import { type ChangeQuote, formatDay, type PlanName, planLabels, text } from "@tintype/contract";
import { ApiProblem, sentenceOf } from "@tintype/contract/api";
import { useCallback, useEffect, useRef, useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { confirmPayment, openCheckout, PaymentProblem, prepareCheckout } from "../checkout/pay.ts";
import type { Customer } from "../customer.ts";
import { blockOf, type Choice, scheduledSentence } from "./plan-offer.ts";

type Phase = "idle" | "asking" | "preparing" | "paying" | "upgrading";

/** A declined card and a window closed within this time are one failure. */
const sameFailureMs = 4000;

/** The outcome of a payment replaces that of the attempt before it. */
const paymentToast = { id: "payment" };

/** docs/product.md: choose a plan, confirm, pay at the checkout, and the plan is active. */
export function useUpgrade({ info, refresh }: Pick<Customer, "info" | "refresh">) {
  const api = useApi();
  const notify = useToasts();
  const [phase, setPhase] = useState<Phase>("idle");
  const [choice, setChoice] = useState<Choice>();
  const [isPaid, setIsPaid] = useState(false);
  /** Incremented for each attempt: closing the dialog while it waits abandons its request. */
  const attempt = useRef(0);

  const { quote, problem, reloadQuote } = useQuote(choice);

  function choose(plan: PlanName, { cycle, mode }: Pick<Choice, "cycle" | "mode">) {
    const block = info && blockOf(plan, info);
    if (block) return notify.error(block);
    if (!info || plan === "hobby") return;
    setChoice({ plan, cycle, mode });
    setPhase("asking");
  }

  function cancel() {
    if (phase !== "asking" && phase !== "preparing") return;
    attempt.current += 1;
    setPhase("idle");
  }

  async function confirm() {
    if (!choice || !info || !quote) return;
    attempt.current += 1;
    const currentAttempt = attempt.current;
    setPhase("preparing");
    try {
      const prepared = await prepareCheckout(api, { choice, quote, info });
      if (currentAttempt !== attempt.current) return;
      // Close ours before the checkout opens: our modal would cover the gateway's.
      setPhase("paying");
      const paid = await openCheckoutReportingFailures(prepared);
      if (!paid) return;
      setPhase("upgrading");
      const { next_plan, next_billing_date } = await confirmPayment(api, choice, paid);
      const isLater = next_plan === choice.plan && next_billing_date !== null;
      notify.success(
        isLater
          ? scheduledSentence({
              plan: next_plan,
              current: info.paid_plan,
              day: formatDay(next_billing_date),
              cycle: choice.cycle,
              price: { amount_minor: quote.price_minor, currency: quote.currency },
            })
          : text.subscribed(planLabels[choice.plan]),
        paymentToast,
      );
      setIsPaid(true);
    } catch (problem) {
      if (currentAttempt !== attempt.current) return;
      notify.error(problem instanceof PaymentProblem ? problem.message : text.somethingWrong, paymentToast);
      if (!(problem instanceof PaymentProblem)) reportError(problem);
    } finally {
      if (currentAttempt === attempt.current) setPhase("idle");
    }
    await refreshAfter();
  }

  async function openCheckoutReportingFailures(prepared: Awaited<ReturnType<typeof prepareCheckout>>) {
    let failedAtMs = Number.NEGATIVE_INFINITY;
    const paid = await openCheckout(prepared, () => {
      failedAtMs = performance.now();
      notify.error(text.paymentFailed, paymentToast);
    });
    if (!paid && performance.now() - failedAtMs > sameFailureMs) notify.error(text.paymentFailed, paymentToast);
    return paid;
  }

  /** Runs whatever the outcome: the gateway may have told the server more than this page knows. */
  async function refreshAfter() {
    try {
      await refresh();
    } catch (problem) {
      notify.error(problem instanceof ApiProblem ? text.fetchUserFailed : text.fetchUserError);
    }
  }

  return { phase, choice, isPaid, quote, problem, reloadQuote, choose, cancel, confirm };
}

/** What a choice charges and refunds, calculated by the server; requested while the dialog is open. */
function useQuote(choice: Choice | undefined) {
  const api = useApi();
  const [quote, setQuote] = useState<ChangeQuote>();
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt requests the same quote again
  useEffect(() => {
    setQuote(undefined);
    setProblem(undefined);
    if (!choice) return;
    const controller = new AbortController();
    const query = { plan_id: choice.plan, billing_cycle: choice.cycle };
    api.call("GET /plan-change", { query, signal: controller.signal }).then(
      ({ ways }) => {
        const found = choice.mode ? ways.find(({ mode }) => mode === choice.mode) : ways[0];
        if (found) setQuote(found);
        else setProblem("This change is no longer possible. Please reload the page.");
      },
      (thrown: unknown) => controller.signal.aborted || setProblem(sentenceOf(thrown)),
    );
    return () => controller.abort();
  }, [api, choice, attempt]);
  return { quote, problem, reloadQuote: useCallback(() => setAttempt((count) => count + 1), []) };
}
