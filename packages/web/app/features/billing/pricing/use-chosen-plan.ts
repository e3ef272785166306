import { type BillingCycle, billingCycles, type PlanName, paidPlanNames } from "@tintype/contract";
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import type { Choice } from "./plan-offer.ts";

/**
 * The plan that was chosen before signing in. It is kept in the URL, which survives a reload and a redirect through
 * another site; once the person is known, the purchase continues, once.
 */
export function useChosenPlan({ isReady, onReady }: { isReady: boolean; onReady(choice: Choice): void }) {
  const [params, setParams] = useSearchParams();
  const plan = paidPlanNames.find((name) => name === params.get("plan"));
  const cycle = billingCycles.find((name) => name === params.get("cycle")) ?? "monthly";
  const continuePurchase = useEffectEvent(() => {
    if (!plan) return;
    setParams({}, { replace: true, preventScrollReset: true });
    onReady({ plan, cycle });
  });
  useEffect(() => {
    if (isReady) continuePurchase();
  }, [isReady]);

  return (chosenPlan: PlanName, chosenCycle: BillingCycle) => {
    const next = chosenPlan === "hobby" ? {} : { plan: chosenPlan, cycle: chosenCycle };
    setParams(next, { replace: true, preventScrollReset: true });
  };
}
