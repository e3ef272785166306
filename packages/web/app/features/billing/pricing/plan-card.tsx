import {
  type BillingCycle,
  type Currency,
  formatDay,
  formatPrice,
  type PlanName,
  planLabels,
  prices,
  text,
  type UserInfo,
} from "@tintype/contract";
import { Check } from "lucide-react";
import { joinClasses } from "../../../lib/join-classes.ts";
import { Button } from "../../../ui/button.tsx";
import { featuresOf } from "./plan-features.ts";
import type { PlanOffer } from "./plan-offer.ts";

type Props = {
  plan: PlanName;
  cycle: BillingCycle;
  /** Undefined until the location is known. */
  currency: Currency | undefined;
  offer: PlanOffer;
  info: UserInfo | undefined;
  /** What was chosen here is just being paid or confirmed. */
  isBusy: boolean;
  /** Something is going on with one of the plans. */
  isDisabled: boolean;
  onChoose(): void;
};

export function PlanCard({ plan, cycle, currency, offer, info, isBusy, isDisabled, onChoose }: Props) {
  const titleId = `plan-${plan}`;
  // Not `disabled` while it waits: a button that is loses the focus, which the checkout gives back to it.
  const choose = () => isDisabled || onChoose();
  return (
    <section
      aria-labelledby={titleId}
      className={joinClasses(
        "flex flex-col rounded-lg border bg-surface p-6",
        offer.isCurrent ? "border-ink" : "border-line",
      )}
    >
      <h2 id={titleId} className="text-2xl">
        {planLabels[plan]}
      </h2>
      <Price plan={plan} cycle={cycle} currency={currency} />
      <div className="mt-6 flex flex-col gap-2">
        <Button
          size="lg"
          kind={offer.isNextStep ? "primary" : "secondary"}
          disabled={offer.isCurrent}
          aria-disabled={isDisabled}
          aria-describedby={titleId}
          onClick={choose}
        >
          {isBusy && !offer.isCurrent ? text.processing : offer.label}
        </Button>
        {offer.again && (
          <Button aria-disabled={isDisabled} aria-describedby={titleId} onClick={choose}>
            {isBusy ? text.processing : offer.again}
          </Button>
        )}
      </div>
      <Remark plan={plan} info={info} />
      <ul className="mt-6 space-y-2.5 border-t border-line pt-6 text-sm">
        {featuresOf(plan).map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            {feature}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Price({ plan, cycle, currency }: Pick<Props, "plan" | "cycle" | "currency">) {
  const isKnown = plan === "hobby" || currency !== undefined;
  return (
    <p className="mt-3 flex min-h-12 items-baseline gap-1.5">
      <span className={joinClasses("font-serif", isKnown ? "text-4xl" : "text-2xl text-muted")}>
        {plan === "hobby" ? "Free" : priceText(plan, cycle, currency)}
      </span>
      {isKnown && plan !== "hobby" && (
        <span className="text-sm text-muted">{cycle === "monthly" ? "a month" : "a year"}</span>
      )}
    </p>
  );
}

const priceText = (plan: Exclude<PlanName, "hobby">, cycle: BillingCycle, currency: Currency | undefined) =>
  currency ? formatPrice({ amountMinor: prices[plan][cycle][currency], currency }) : "Loading...";

/** What is decided already about this plan. */
function Remark({ plan, info }: Pick<Props, "plan" | "info">) {
  const sentence = info && remarkOf(plan, info);
  return sentence ? <p className="mt-3 text-sm text-pretty text-muted">{sentence}</p> : null;
}

function remarkOf(plan: PlanName, info: UserInfo): string | undefined {
  if (info.next_plan === plan && info.next_billing_date) return `Starts on ${formatDay(info.next_billing_date)}.`;
  if (info.plan !== plan) return undefined;
  if (info.subscription_status === "past_due") return "The last payment failed. It will be tried again.";
  if (info.subscription_status === "cancellation_scheduled" && info.renewal_date)
    return `Ends on ${formatDay(info.renewal_date)}.`;
  return undefined;
}
