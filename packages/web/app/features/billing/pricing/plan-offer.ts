import {
  type BillingCycle,
  type ChangeMode,
  formatDay,
  type PaidPlanName,
  type PlanName,
  planLabels,
  rankOf,
  text,
  type UserInfo,
} from "@tintype/contract";
import type { Customer } from "../customer.ts";

/** A button of a plan's card, named for its action. `keep` undoes what would end the current plan. */
export type PlanButton = {
  label: string;
  action: "choose" | "keep" | "nothing";
  /** When the plan should begin; without it, the server's default applies. */
  mode?: ChangeMode;
  isPrimary?: boolean;
};

/** docs/product.md: the buttons of a card, for this person. */
export function buttonsOf(
  plan: PlanName,
  cycle: BillingCycle,
  { kind, info }: Pick<Customer, "kind" | "info">,
): readonly [PlanButton, ...PlanButton[]] {
  if (kind !== "person") {
    const label = plan === "hobby" ? "Try Now" : "Get Started";
    return [{ label, action: "choose", isPrimary: isRecommended(plan, { kind, info }) }];
  }
  const isGranted = Boolean(info?.granted_until);
  if (info?.paid_plan === plan)
    return [
      { label: isGranted && plan === "hobby" ? "Next Plan" : "Current Plan", action: "nothing" },
      ...currentPlanButtons(info, cycle),
    ];
  if (plan === "hobby") return [{ label: "Switch", action: "choose" }];
  if (info?.next_plan === plan) return [{ label: "Scheduled", action: "nothing" }];
  const isNextStep = info !== undefined && !info.keep_until && rankOf(plan) === rankOf(info.paid_plan) + 1;
  if (!info || info.paid_plan === "hobby")
    return [
      {
        label: isGranted && info && rankOf(plan) <= rankOf(info.plan) ? "Subscribe" : "Upgrade",
        action: "choose",
        isPrimary: isRecommended(plan, { kind, info }),
      },
    ];
  if (info.subscription_status === "past_due") return [{ label: "Upgrade", action: "choose", isPrimary: isNextStep }];
  const later: PlanButton = { label: "Switch at renewal", action: "choose", mode: "at_renewal" };
  if (rankOf(plan) < rankOf(info.paid_plan)) return [later];
  return [{ label: "Upgrade now", action: "choose", mode: "now", isPrimary: isNextStep }, later];
}

function currentPlanButtons(info: UserInfo, cycle: BillingCycle): PlanButton[] {
  const { paid_plan: plan, billing_cycle, subscription_status, next_plan, keep_until } = info;
  if (plan === "hobby") return [];
  if (subscription_status === "past_due") return [{ label: "Pay with another card", action: "choose" }];
  const isCancelled = subscription_status === "cancellation_scheduled";
  const buttons: PlanButton[] = keep_until ? [{ label: "Keep my plan", action: "keep", isPrimary: true }] : [];
  if (!next_plan && billing_cycle !== cycle)
    buttons.push({ label: `Switch to ${cycle} at renewal`, action: "choose", mode: "at_renewal" });
  // Too close to its end to be kept: it can only be bought again.
  else if (isCancelled && !keep_until) buttons.push({ label: "Subscribe again", action: "choose", mode: "at_renewal" });
  return buttons;
}

type Scheduled = { plan: PlanName; current: PlanName; day: string };

/** Describes a change that begins on a later day, with the plan that is active until then. */
export const scheduledSentence = ({ plan, current, day }: Scheduled): string =>
  plan === current
    ? `Your new ${planLabels[plan]} subscription starts on ${day}.`
    : `${planLabels[plan]} is scheduled for ${day}. ${planLabels[current]} stays until then.`;

/** The middle paid plan, for anyone on no paid plan. For a signed-in person, only once their plan is known. */
export const isRecommended = (plan: PlanName, { kind, info }: Pick<Customer, "kind" | "info">): boolean =>
  plan === "plus" && (kind !== "person" || info?.paid_plan === "hobby");

/** Why a person cannot change to a plan now, in docs/product.md's words, or undefined. The server applies the same rules. */
export function blockOf(plan: PlanName, info: UserInfo): string | undefined {
  if (plan === "hobby") return text.hobbyBlocked(planLabels.hobby);
  if (!info.next_plan) return undefined;
  const date = info.next_billing_date ? formatDay(info.next_billing_date) : "the end of this period";
  return text.changeScheduled({ plan: planLabels[info.next_plan], date });
}

export type Choice = { plan: PaidPlanName; cycle: BillingCycle; mode?: ChangeMode | undefined };
