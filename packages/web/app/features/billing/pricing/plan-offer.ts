import {
  type BillingCycle,
  type ChangeMode,
  formatDay,
  formatPrice,
  type PaidPlanName,
  type PlanName,
  planLabels,
  rankOf,
  text,
  type UserInfo,
} from "@tintype/contract";
import type { Customer } from "../customer.ts";

/**
 * A button of a plan's card, named for its action. `keep` undoes what would end the current plan, `cancel` opens the dialog that
 * ends it.
 */
export type PlanButton = {
  label: string;
  action: "choose" | "keep" | "cancel" | "nothing";
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
  if (plan === "hobby") {
    const isEnding = !info || info.subscription_status === "cancellation_scheduled";
    return [{ label: "Switch", action: isEnding ? "choose" : "cancel" }];
  }
  if (info?.next_plan === plan) return [{ label: "Scheduled", action: "nothing" }];
  // Any other change is refused: the card says why.
  if (info?.next_plan)
    return [{ label: rankOf(plan) > rankOf(info.paid_plan) ? "Upgrade" : "Switch", action: "nothing" }];
  if (!info || info.paid_plan === "hobby")
    return [
      {
        label: isGranted && info && rankOf(plan) <= rankOf(info.plan) ? "Subscribe" : "Upgrade",
        action: "choose",
        isPrimary: isRecommended(plan, { kind, info }),
      },
    ];
  if (info.subscription_status === "past_due") return [{ label: "Upgrade", action: "choose" }];
  const later: PlanButton = { label: "Switch at renewal", action: "choose", mode: "at_renewal" };
  if (rankOf(plan) < rankOf(info.paid_plan)) return [later];
  return [{ label: "Upgrade now", action: "choose", mode: "now" }, later];
}

function currentPlanButtons(info: UserInfo, cycle: BillingCycle): PlanButton[] {
  const { paid_plan: plan, billing_cycle, subscription_status, next_plan, keep_until } = info;
  if (plan === "hobby") return [];
  if (subscription_status === "past_due") return [{ label: "Pay with another card", action: "choose" }];
  const isCancelled = subscription_status === "cancellation_scheduled";
  const buttons: PlanButton[] = keep_until ? [{ label: keepLabelOf(info), action: "keep", isPrimary: true }] : [];
  if (!next_plan && billing_cycle !== cycle)
    buttons.push({ label: `Switch to ${cycle} at renewal`, action: "choose", mode: "at_renewal" });
  // Too close to its end to be kept: it can only be bought again.
  else if (isCancelled && !keep_until) buttons.push({ label: "Subscribe again", action: "choose", mode: "at_renewal" });
  return buttons;
}

/** What keeps the plan as it is: of a change to the other cycle of the same plan it is the billing that is kept. */
export const keepLabelOf = ({ paid_plan, next_plan, billing_cycle }: UserInfo): string =>
  next_plan === paid_plan && billing_cycle ? `Keep ${billing_cycle} billing` : "Keep my plan";

type Scheduled = { plan: PlanName; current: PlanName; day: string; cycle: BillingCycle; price: Price };
type Price = NonNullable<UserInfo["next_plan_price"]>;

/** Describes a change that begins on a later day, with its price and what is active until then. */
export const scheduledSentence = ({ plan, current, day, ...billed }: Scheduled): string =>
  plan === current
    ? `${planLabels[plan]} is ${billedText(billed)} from ${day}.`
    : `${planLabels[plan]}, ${billedText(billed)}, is scheduled for ${day}. ${planLabels[current]} stays until then.`;

/** `billed yearly at $108` */
export const billedText = ({ cycle, price }: Pick<Scheduled, "cycle" | "price">): string =>
  `billed ${cycle} at ${formatPrice({ amountMinor: price.amount_minor, currency: price.currency })}`;

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
