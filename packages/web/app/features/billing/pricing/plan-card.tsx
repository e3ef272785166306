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
import type { ReactNode } from "react";
import { joinClasses } from "../../../lib/join-classes.ts";
import { planFact } from "../../../lib/plan-fact.ts";
import { Button } from "../../../ui/button.tsx";
import { featuresOf } from "./plan-features.ts";
import { blockOf, type PlanButton, scheduledSentence } from "./plan-offer.ts";

type Props = {
  plan: PlanName;
  cycle: BillingCycle;
  /** Undefined until the location is known. */
  currency: Currency | undefined;
  buttons: readonly PlanButton[];
  /** Some card has two buttons: reserve the space so that the lists below all begin on one line. */
  hasPairs: boolean;
  info: UserInfo | undefined;
  badge: ReactNode;
  /** It is known whether somebody is signed in. */
  isCertain: boolean;
  /** The choice made on this card is being paid or confirmed. */
  isBusy: boolean;
  /** A purchase or change of any plan is in progress. */
  isDisabled: boolean;
  onChoose(button: PlanButton): void;
};

export function PlanCard({ plan, cycle, currency, buttons, hasPairs, info, badge, ...card }: Props) {
  const titleId = `plan-${plan}`;
  return (
    <section
      aria-labelledby={titleId}
      className={joinClasses(
        "flex flex-col rounded-lg border bg-surface p-6",
        info?.plan === plan ? "border-ink" : "border-line",
      )}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 id={titleId} className="text-2xl">
          {planFact(`${plan}.label`, planLabels[plan])}
        </h2>
        {badge}
      </div>
      <Price plan={plan} cycle={cycle} currency={currency} info={info} />
      <div
        className={joinClasses(
          "mt-6 flex flex-col gap-2",
          hasPairs && "sm:min-h-24",
          // Hide a guest's buttons from someone who was signed in before.
          !card.isCertain && "in-data-session:invisible",
        )}
      >
        {buttons.map((button, index) => (
          <Button
            key={button.label}
            size={index === 0 ? "lg" : "md"}
            kind={button.isPrimary ? "primary" : "secondary"}
            disabled={button.action === "nothing"}
            // Not `disabled` while it waits: a disabled button loses the focus, and the checkout returns the focus to it.
            aria-disabled={card.isDisabled}
            aria-describedby={titleId}
            onClick={() => card.isDisabled || card.onChoose(button)}
          >
            {card.isBusy && button.action !== "nothing" ? text.processing : button.label}
          </Button>
        ))}
        <Remark plan={plan} info={info} />
      </div>
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

function Price({ plan, cycle, currency, info }: Pick<Props, "plan" | "cycle" | "currency" | "info">) {
  // After a cancellation or a failing payment, buying it again costs the current price.
  const isCurrentPlan =
    info?.paid_plan === plan && info.billing_cycle === cycle && info.subscription_status === "active";
  const currentPrice = isCurrentPlan ? info.price : null;
  const isKnown = plan === "hobby" || currentPrice !== null || currency !== undefined;
  return (
    <p className={joinClasses("mt-3 flex items-baseline gap-1.5", cycle === "yearly" ? "min-h-14" : "min-h-12")}>
      <span className={joinClasses("font-serif", isKnown ? "text-4xl" : "text-2xl text-muted")}>
        {plan === "hobby" ? "Free" : currentPrice ? priceOf(currentPrice) : priceText(plan, cycle, currency)}
      </span>
      {isKnown && plan !== "hobby" && (
        <span className="text-sm text-muted">
          {cycle === "monthly" ? "a month" : "a year"}
          {cycle === "yearly" && currency && !currentPrice && (
            <span className="block">{yearlyText(plan, currency)}</span>
          )}
        </span>
      )}
    </p>
  );
}

/** A year by the month, and what that is less than twelve months. */
function yearlyText(plan: Exclude<PlanName, "hobby">, currency: Currency): string {
  const { monthly, yearly } = prices[plan];
  const [month, year] = [monthly[currency], yearly[currency]];
  if (month === undefined || year === undefined) return "";
  const [each, saving] = [Math.round(year / 12), 12 * month - year].map((amountMinor) =>
    formatPrice({ amountMinor, currency }),
  );
  return 12 * month > year ? `${each} a month, you save ${saving}` : `${each} a month`;
}

function priceText(plan: Exclude<PlanName, "hobby">, cycle: BillingCycle, currency: Currency | undefined): string {
  if (!currency) return "Loading...";
  const amountMinor = prices[plan][cycle][currency];
  // The page is older than the price on the server.
  return amountMinor === undefined ? "Reload for the price" : formatPrice({ amountMinor, currency });
}

const priceOf = ({ amount_minor: amountMinor, currency }: NonNullable<UserInfo["price"]>): string =>
  formatPrice({ amountMinor, currency });

/** The pending change or cancellation of this plan. */
function Remark({ plan, info }: Pick<Props, "plan" | "info">) {
  const sentence = info && remarkOf(plan, info);
  return sentence ? <p className="text-sm text-pretty text-muted">{sentence}</p> : null;
}

function remarkOf(plan: PlanName, info: UserInfo): string | undefined {
  const { next_plan, next_billing_date, next_billing_cycle: cycle, next_plan_price: price } = info;
  if (next_plan === plan && next_billing_date && cycle && price) {
    const day = formatDay(next_billing_date);
    return `${scheduledSentence({ plan, current: info.paid_plan, day, cycle, price })} You will first be charged that day.`;
  }
  if (next_plan && plan !== "hobby" && plan !== info.paid_plan) return blockOf(plan, info);
  if (info.granted_until && info.plan === plan) return `Granted until ${formatDay(info.granted_until)}.`;
  if (info.granted_until && plan === "hobby" && info.paid_plan === plan)
    return `From ${formatDay(info.granted_until)}.`;
  if (info.paid_plan !== plan) return undefined;
  if (next_plan && next_billing_date) return `Until ${formatDay(next_billing_date)}, then ${planLabels[next_plan]}.`;
  if (info.subscription_status === "past_due") return "The last payment failed. We will try again.";
  if (info.next_price) return `${priceOf(info.next_price)} from ${formatDay(info.next_price.from)}.`;
  if (info.subscription_status === "cancellation_scheduled" && info.renewal_date)
    return `Ends on ${formatDay(info.renewal_date)}.`;
  return undefined;
}
