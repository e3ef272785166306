import {
  type BillingCycle,
  billingCycles,
  type Currency,
  type PaidPlanName,
  paidPlanNames,
  priceOfPlan,
  soldCurrencies,
} from "@tintype/contract";
import { GatewayError, type PaymentGateway } from "./gateway.ts";

/** What is sold: a plan for a cycle in a currency. */
export type PlanOffer = { plan: PaidPlanName; cycle: BillingCycle; currency: Currency };
/** The gateway's plan for each of them, by `offerKey`. */
export type PlanIds = ReadonlyMap<string, string>;

/** `mini-monthly-USD` */
export const offerKey = ({ plan, cycle, currency }: PlanOffer): string => `${plan}-${cycle}-${currency}`;

/** Everything that is sold, by the current plans and currencies. */
export const offersSold = (): readonly PlanOffer[] =>
  paidPlanNames.flatMap((plan) =>
    billingCycles.flatMap((cycle) => soldCurrencies().map((currency) => ({ plan, cycle, currency }))),
  );

/**
 * Parses the setting with plan ids: `mini-monthly-USD=plan_..., mini-monthly-INR=plan_...`, one for each offer.
 * @throws Error naming each one that is missing, duplicate or unknown
 */
export function readPlanIds(pairs: readonly string[]): PlanIds {
  const known = new Set(offersSold().map(offerKey));
  const ids = new Map<string, string>();
  const wrong: string[] = [];
  for (const pair of pairs) {
    const [key = "", id = ""] = pair.split("=").map((part) => part.trim());
    if (!known.has(key) || !/^plan_\w+$/.test(id)) wrong.push(`"${pair}" is not OFFER=plan_ID`);
    else if (ids.has(key) || [...ids.values()].includes(id)) wrong.push(`"${pair}" is there twice`);
    else ids.set(key, id);
  }
  for (const key of known) if (!ids.has(key)) wrong.push(`${key} is missing`);
  if (wrong.length > 0) throw new Error(`RAZORPAY_PLANS: ${wrong.join("; ")}.`);
  return ids;
}

/**
 * Compares each plan at the gateway with the price table. Returns a message for each mismatch.
 * @throws GatewayError when the gateway does not respond
 */
export async function checkPlans(gateway: PaymentGateway, ids: PlanIds): Promise<string[]> {
  const found = await Promise.all(
    offersSold().map(async (offer) => {
      const key = offerKey(offer);
      const plan = await gateway.fetchPlan(ids.get(key) ?? "").catch((problem: unknown) => {
        if (problem instanceof GatewayError && problem.kind === "refused") return undefined;
        throw problem;
      });
      if (!plan) return `${key}: the gateway does not know this plan`;
      const wanted = priceOfPlan(offer);
      const isRight =
        plan.period === offer.cycle &&
        plan.interval === 1 &&
        plan.currency === offer.currency &&
        plan.amountMinor === wanted;
      if (isRight) return [];
      const is = `${plan.amountMinor} ${plan.currency} every ${plan.interval} ${plan.period}`;
      return `${key}: is ${is} at the gateway, and ${wanted} ${offer.currency} ${offer.cycle} here`;
    }),
  );
  return found.flat();
}
