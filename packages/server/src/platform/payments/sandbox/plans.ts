import { planLabels, prices, productName } from "@tintype/contract";
import { offerKey, offers } from "../plan-ids.ts";
import { type PlanEntity, sandboxPlanIds } from "./entities.ts";

/** The sandbox's plans: what is in the table of prices, and nothing else. */
export const sandboxPlans: readonly PlanEntity[] = offers.map((offer) => {
  const id = sandboxPlanIds.get(offerKey(offer)) ?? "";
  const amount = prices[offer.plan][offer.cycle][offer.currency];
  return {
    id,
    entity: "plan",
    interval: 1,
    period: offer.cycle,
    item: {
      id: id.replace("plan_", "item_"),
      active: true,
      name: `${productName} ${planLabels[offer.plan]}`,
      amount,
      unit_amount: amount,
      currency: offer.currency,
      type: "plan",
    },
    notes: [],
    created_at: Date.UTC(2026, 0, 1) / 1000,
  };
});
