import { formatDay, type PlanName, planLabels, text, type UserInfo } from "@tintype/contract";
import { useEffect, useRef } from "react";
import { isFocusFree } from "../../../lib/keep-focus.ts";
import { Button } from "../../../ui/button.tsx";
import type { Customer } from "../customer.ts";
import { billedText, keepLabelOf } from "../pricing/plan-offer.ts";
import { useKeepPlan } from "../use-keep-plan.ts";
import { CancelSubscription } from "./cancel-subscription.tsx";

/** The subscription's state, and how to cancel it. */
export function SubscriptionLine({ customer }: { customer: Customer }) {
  const { info } = customer;
  const heading = useFocusAfterChange(info && [info.subscription_status, info.next_plan, info.keep_until].join());
  if (!info) return <p className="min-h-12 text-muted">Loading...</p>;
  const { headline, detail } = statusOf(info);
  const isCancellable = info.paid_plan !== "hobby" && info.subscription_status !== "cancellation_scheduled";
  return (
    <div className="space-y-1">
      <p ref={heading} tabIndex={-1} className="font-medium">
        {headline}
      </p>
      {detail && <p className="max-w-xl text-sm text-pretty text-muted">{detail}</p>}
      {info.granted_until && info.paid_plan !== "hobby" && (
        <p className="max-w-xl text-sm text-pretty text-muted">{grantText(info.plan, info.granted_until)}.</p>
      )}
      <NextPlan info={info} />
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-2 pt-1.5 empty:hidden">
        {info.keep_until && <KeepPlan info={info} until={info.keep_until} refresh={customer.refresh} />}
        {isCancellable && <CancelSubscription info={info} refresh={customer.refresh} />}
      </div>
    </div>
  );
}

/** The change that is scheduled: what it costs, how it is billed, and from which day. */
function NextPlan({ info }: { info: UserInfo }) {
  const { paid_plan, next_plan, next_billing_date, next_billing_cycle: cycle, next_plan_price: price } = info;
  if (!next_plan || !next_billing_date || !cycle || !price) return null;
  const [label, day, billed] = [planLabels[next_plan], formatDay(next_billing_date), billedText({ cycle, price })];
  return (
    <p className="max-w-xl text-sm text-pretty text-muted">
      {next_plan === paid_plan ? `${label} is ${billed} from ${day}.` : `${label} starts on ${day}, ${billed}.`} You
      will first be charged that day.
    </p>
  );
}

/** Focuses the line when the button that had the focus was removed with the old `status`. */
function useFocusAfterChange(status: string | undefined) {
  const line = useRef<HTMLParagraphElement>(null);
  const before = useRef(status);
  useEffect(() => {
    const hasChanged = before.current !== undefined && before.current !== status;
    before.current = status;
    if (hasChanged && isFocusFree()) line.current?.focus();
  }, [status]);
  return line;
}

const grantText = (plan: PlanName, until: string): string => `${planLabels[plan]} until ${formatDay(until)}, granted`;

/** docs/product.md's wording for each state. */
function statusOf(info: UserInfo) {
  const { subscription_status, renewal_date, billing_cycle, paid_plan: plan, next_plan } = info;
  const day = renewal_date ? formatDay(renewal_date) : undefined;
  switch (subscription_status) {
    case null:
      if (info.granted_until)
        return {
          headline: grantText(info.plan, info.granted_until),
          detail: `You pay nothing. After that you are on ${planLabels[plan]}.`,
        };
      return { headline: "No subscription", detail: `${planLabels[plan]} is free.` };
    case "active":
      return {
        headline: "Active!",
        detail:
          day && (next_plan ? `${planLabels[plan]} is paid until ${day}.` : `Billed ${billing_cycle}, next on ${day}.`),
      };
    case "cancellation_scheduled":
      return {
        headline: "Scheduled for Cancellation",
        detail: day && `${planLabels[plan]} ends on ${day}. You will not be charged again.`,
      };
    case "past_due":
      return {
        headline: "Payment failed",
        detail:
          "Your last payment failed. We will retry over the next few days, and you keep your plan until then. To pay with another card, go to Manage Plans.",
      };
  }
}

type KeepProps = { info: UserInfo; until: string; refresh: Customer["refresh"] };

/** Undoes a cancellation or a scheduled change, and says until when that is possible. */
function KeepPlan({ info, until, refresh }: KeepProps) {
  const { isBusy, keep } = useKeepPlan({ refresh });
  return (
    <>
      <Button aria-disabled={isBusy} aria-describedby="keep-until" onClick={() => void keep()}>
        {isBusy ? text.processing : keepLabelOf(info)}
      </Button>
      <p id="keep-until" className="text-sm text-muted">
        Available until {formatDay(until)}.
      </p>
    </>
  );
}
