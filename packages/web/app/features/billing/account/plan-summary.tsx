import { formatDay, formatPrice, planLabels, type UserInfo } from "@tintype/contract";
import { Link } from "react-router";
import { formatComingMoment } from "../../../lib/format-date.ts";
import { buttonClasses } from "../../../ui/button.tsx";
import { Meter } from "../../../ui/meter.tsx";

/** The current plan, how much of it is used, and a link to change it. */
export function PlanSummary({ info }: { info: UserInfo | undefined }) {
  return (
    <section aria-labelledby="plan" className="rounded-lg border border-line bg-surface p-6">
      <h2 id="plan" className="font-sans text-sm font-medium tracking-normal text-muted">
        Your plan
      </h2>
      <p className="mt-1 font-serif text-4xl">{info ? planLabels[info.plan] : "Loading..."}</p>
      {info?.granted_until && <p className="mt-1 text-sm text-muted">Until {formatDay(info.granted_until)}, granted</p>}
      {info && <Price info={info} />}
      {info && <Used info={info} />}
      <Link to="/pricing" className={`${buttonClasses({ kind: "primary", size: "lg" })} mt-6 w-full`}>
        Manage Plans
      </Link>
    </section>
  );
}

/** What the subscription costs this subscriber, which may differ from its current list price. */
function Price({ info }: { info: UserInfo }) {
  const { price, next_price, billing_cycle, subscription_status, next_plan, plan, paid_plan } = info;
  if (!price || !billing_cycle) return null;
  const textOf = ({ amount_minor: amountMinor, currency }: typeof price) =>
    `${formatPrice({ amountMinor, currency })} ${billing_cycle === "monthly" ? "a month" : "a year"}`;
  const isEnding = subscription_status === "cancellation_scheduled" || next_plan !== null;
  return (
    <div className="mt-1 text-sm text-muted">
      <p>
        {plan !== paid_plan && `${planLabels[paid_plan]}: `}
        {isEnding ? `Paid at ${textOf(price)}` : textOf(price)}
      </p>
      {next_price && (
        <p>
          {textOf(next_price)} from {formatDay(next_price.from)}
        </p>
      )}
    </div>
  );
}

function Used({ info: { service_count, limit, window, resets_at, fast_lane } }: { info: UserInfo }) {
  if (limit === null) return null;
  return (
    <div className="mt-6 space-y-5 text-sm">
      <div>
        <p className="mb-2 flex justify-between gap-4">
          <span>Credits used {{ ever: "so far", month: "this month", day: "today" }[window]}</span>
          <span>
            <span className="font-medium">{service_count}</span> <span className="text-muted">of {limit}</span>
          </span>
        </p>
        <Meter label="Credits used on this plan" value={service_count} max={limit} className="h-2" />
      </div>
      {fast_lane.limit > 0 && (
        <div>
          <p className="mb-2 flex justify-between gap-4">
            <span>Fast premium requests today</span>
            <span>
              <span className="font-medium">{fast_lane.used}</span>{" "}
              <span className="text-muted">of {fast_lane.limit}</span>
            </span>
          </p>
          <Meter label="Fast premium requests used" value={fast_lane.used} max={fast_lane.limit} className="h-2" />
        </div>
      )}
      <p className="text-muted">
        {resets_at === null
          ? "Verify your email to get all your credits."
          : `Your credits reset on ${formatComingMoment(resets_at)}.`}
      </p>
    </div>
  );
}
