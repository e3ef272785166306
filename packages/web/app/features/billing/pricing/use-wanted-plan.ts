import { type BillingCycle, billingCycles, type PlanName, paidPlanNames } from "@tintype/contract";
import { useEffect, useEffectEvent } from "react";
import { useSearchParams } from "react-router";
import type { Choice } from "./plan-offer.ts";

/**
 * The plan somebody chose before they had an account. It stands in the address, which outlives a reload and a way over
 * another site; once the person is known the purchase goes on, once.
 */
export function useWantedPlan({ isReady, onReady }: { isReady: boolean; onReady(choice: Choice): void }) {
  const [params, setParams] = useSearchParams();
  const plan = paidPlanNames.find((name) => name === params.get("plan"));
  const cycle = billingCycles.find((name) => name === params.get("cycle")) ?? "monthly";
  const goOn = useEffectEvent(() => {
    if (!plan) return;
    setParams({}, { replace: true, preventScrollReset: true });
    onReady({ plan, cycle });
  });
  useEffect(() => {
    if (isReady) goOn();
  }, [isReady]);

  return (wanted: PlanName, cycleWanted: BillingCycle) => {
    const next = wanted === "hobby" ? {} : { plan: wanted, cycle: cycleWanted };
    setParams(next, { replace: true, preventScrollReset: true });
  };
}
