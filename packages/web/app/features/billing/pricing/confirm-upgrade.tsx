import { type ChangeQuote, formatDay, formatPrice, planLabels, rankOf, text, type UserInfo } from "@tintype/contract";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "../../../lib/brand.ts";
import { countOf } from "../../../lib/size.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { Choice } from "./plan-offer.ts";

type Props = {
  choice: Choice;
  info: UserInfo;
  /** Undefined until the server has answered. */
  quote: ChangeQuote | undefined;
  problem: string | undefined;
  isOpen: boolean;
  isBusy: boolean;
  onReloadQuote(): void;
  onCancel(): void;
  onConfirm(): void;
};

/** Says what is charged today, what is refunded, and when the plan begins, before anything happens. */
export function ConfirmUpgrade({ choice, info, quote, problem, isOpen, isBusy, ...on }: Props) {
  return (
    <Dialog title={`Confirm ${planLabels[choice.plan]}, ${choice.cycle}`} isOpen={isOpen} onClose={on.onCancel}>
      {quote ? (
        <Terms {...{ choice, info, quote }} />
      ) : (
        <p role="status" className="min-h-48 text-pretty text-muted">
          {problem ?? "Loading..."}
        </p>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button size="lg" onClick={on.onCancel}>
          Cancel
        </Button>
        {problem ? (
          <Button size="lg" kind="primary" onClick={on.onReloadQuote}>
            Try again
          </Button>
        ) : (
          <Button size="lg" kind="primary" disabled={isBusy || !quote} onClick={on.onConfirm}>
            {isBusy ? text.processing : "Confirm"}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Terms({ choice: { plan, cycle }, info, quote }: { choice: Choice; info: UserInfo; quote: ChangeQuote }) {
  const { mode, currency, charge_today_minor, price_minor, begins_at, next_charge_at } = quote;
  const priceOf = (amountMinor: number) => formatPrice({ amountMinor, currency });
  const span = cycle === "monthly" ? "month" : "year";
  return (
    <>
      <p className="text-pretty">{leadOf(quote, { plan, cycle, info })}</p>
      <dl className="mt-5 divide-y divide-line border-y border-line text-sm">
        <Sums {...quote} />
        <Fact name={`${planLabels[plan]} begins`}>{mode === "now" ? "Immediately" : formatDay(begins_at)}</Fact>
        <Fact name={charge_today_minor === 0 ? "First charge" : "Next charge"}>
          {priceOf(price_minor)} on {formatDay(next_charge_at)}, then every {span} until you cancel
        </Fact>
      </dl>
      {info.granted_until && rankOf(plan) <= rankOf(info.plan) && (
        <p className="mt-4 text-sm text-pretty">
          You have {planLabels[info.plan]} without a payment until {formatDay(info.granted_until)}: {planLabels[plan]}{" "}
          changes nothing before that day.
        </p>
      )}
      <p className="mt-4 text-sm text-pretty text-muted">{noteOf(quote)} All amounts include taxes.</p>
      {brand.issues_invoices && (
        <p className="mt-2 text-sm text-pretty text-muted">
          For an invoice to your company, enter its{" "}
          <Link to="/account/transactions" className="underline underline-offset-2 hover:text-ink">
            billing details
          </Link>{" "}
          before you pay.
        </p>
      )}
    </>
  );
}

/** One total where a refund offsets the charge; two where they are in different currencies. */
function Sums({ charge_today_minor: chargeMinor, currency, refund }: ChangeQuote) {
  const charged = formatPrice({ amountMinor: chargeMinor, currency });
  const sum = (amount: string) => <strong className="font-semibold">{amount}</strong>;
  if (!refund) return <Fact name="Charged today">{sum(charged)}</Fact>;
  const returned = formatPrice({ amountMinor: refund.amount_minor, currency: refund.currency });
  const unused = `${countOf(refund.days, "unused day")} of ${planLabels[refund.plan]}`;
  if (refund.currency !== currency)
    return (
      <>
        <Fact name="Charged today">{sum(charged)}</Fact>
        <Fact name="Refunded to your card">
          {returned} for {unused}
        </Fact>
      </>
    );
  const netMinor = chargeMinor - refund.amount_minor;
  return (
    <Fact name={netMinor < 0 ? "You get back" : "You pay"}>
      {sum(formatPrice({ amountMinor: Math.abs(netMinor), currency }))}
      <span className="block text-muted">
        Your card is charged {charged} today, and {returned} for {unused} goes back to it within a few days.
      </span>
    </Fact>
  );
}

function leadOf(quote: ChangeQuote, { plan, cycle, info }: Choice & { info: UserInfo }): string {
  const { mode, begins_at, price_minor: amountMinor, currency } = quote;
  const [label, current, day] = [planLabels[plan], planLabels[info.paid_plan], formatDay(begins_at)];
  const billed = `billed ${cycle} at ${formatPrice({ amountMinor, currency })}`;
  if (mode === "at_renewal")
    return plan === info.paid_plan
      ? `Nothing is charged today. ${label} stays as it is until ${day}. From then on it is ${billed}.`
      : `Nothing is charged today. You keep ${current} until ${day}, then move to ${label}, ${billed}.`;
  return current === planLabels.hobby || current === label
    ? `${label} begins as soon as you have paid.`
    : `${label} begins as soon as you have paid, and ${current} ends.`;
}

function noteOf({ mode, refund }: ChangeQuote): string {
  if (mode === "at_renewal")
    return "The next step only authorises your card. Your bank may show a small temporary charge, which is refunded automatically. You can keep your current plan at any time before the change.";
  if (refund) return "Only full days are refunded, not today.";
  return "You can cancel at any time and keep the plan until the end of the paid period.";
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-x-4 py-2.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
    <dt className="text-muted">{name}</dt>
    <dd>{children}</dd>
  </div>
);
