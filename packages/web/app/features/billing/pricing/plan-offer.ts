import {
  type BillingCycle,
  formatDay,
  type PaidPlanName,
  type PlanName,
  planLabels,
  planNames,
  text,
  type UserInfo,
} from "@tintype/contract";
import type { Customer } from "../customer.ts";

/** What a plan's card offers. `again`: the plan one has, in another cycle or after it was cancelled. */
export type PlanOffer = { label: string; isCurrent: boolean; isNextStep: boolean; again: string | undefined };

/** SPEC.md §2: the button of a card, for whoever looks at it. */
export function offerOf(
  plan: PlanName,
  cycle: BillingCycle,
  { kind, info }: Pick<Customer, "kind" | "info">,
): PlanOffer {
  const isHobby = plan === "hobby";
  if (kind !== "person")
    return { label: isHobby ? "Try Now" : "Get Started", isCurrent: false, isNextStep: isHobby, again: undefined };
  if (info?.plan === plan)
    return { label: "Current Plan", isCurrent: true, isNextStep: false, again: again(info, cycle) };
  const isNextStep = info !== undefined && planNames.indexOf(plan) === planNames.indexOf(info.plan) + 1;
  return { label: isHobby ? "Switch" : "Upgrade", isCurrent: false, isNextStep, again: undefined };
}

function again({ plan, billing_cycle, subscription_status }: UserInfo, cycle: BillingCycle): string | undefined {
  if (plan === "hobby") return undefined;
  if (subscription_status === "past_due") return "Pay with another card";
  if (billing_cycle !== cycle) return `Switch to ${cycle}`;
  return subscription_status === "cancellation_scheduled" ? "Subscribe again" : undefined;
}

/** Why a person cannot change to a plan now, as SPEC.md §5 says it, or undefined. The server judges by the same rules. */
export function blockOf(plan: PlanName, info: UserInfo): string | undefined {
  if (plan === "hobby") return text.hobbyBlocked;
  if (!info.next_plan) return undefined;
  const date = info.next_billing_date ? formatDay(info.next_billing_date) : "the end of this period";
  return text.changeScheduled({ plan: planLabels[info.next_plan], date });
}

/** When a plan bought now would begin: the end of what is paid for, or at once. */
export function startOf({ plan, subscription_status, renewal_date }: UserInfo): string | undefined {
  const isPaid = plan !== "hobby" && subscription_status !== "past_due";
  return isPaid && renewal_date ? formatDay(renewal_date) : undefined;
}

export type Choice = { plan: PaidPlanName; cycle: BillingCycle };
