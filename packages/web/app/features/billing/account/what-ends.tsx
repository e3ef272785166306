import { formatDay, planLabels, type UserInfo } from "@tintype/contract";
import { isPrivate } from "../../../lib/brand.ts";
import { countOf } from "../../../lib/size.ts";

/** Lists by name everything that ends when an account is deleted. */
export function WhatEnds({ info }: { info: UserInfo | undefined }) {
  return (
    <>
      <p>These are deleted immediately and cannot be recovered:</p>
      <ul className="list-disc space-y-1 pl-5">
        {info && !isPrivate && info.paid_plan !== "hobby" && <li>{planEnd(info)}</li>}
        {info?.granted_until && (
          <li>
            {planLabels[info.plan]}, which was granted until {formatDay(info.granted_until)}
          </li>
        )}
        {info?.next_plan && info.next_billing_date && (
          <li>
            the change to {planLabels[info.next_plan]} on {formatDay(info.next_billing_date)}, which will not be charged
          </li>
        )}
        {isPrivate ? (
          <li>the history of what you did</li>
        ) : (
          <li>{info ? `the ${creditsOf(info)} you have left` : "your credits"}, and your credit history</li>
        )}
        <li>your API keys: anything that uses them stops working</li>
        <li>images being processed, and results you have not downloaded</li>
        {!isPrivate && (
          <li>
            your payment history (accounting records are kept without your name, except on invoices made out to your
            billing details)
          </li>
        )}
        <li>your name, email and sign-in</li>
      </ul>
    </>
  );
}

const creditsOf = ({ limit, service_count }: UserInfo): string =>
  countOf(Math.max(0, (limit ?? 0) - service_count), "credit");

function planEnd({ paid_plan: plan, renewal_date, subscription_status }: UserInfo): string {
  const paid = renewal_date && subscription_status !== "past_due" ? `, paid until ${formatDay(renewal_date)}` : "";
  return `your ${planLabels[plan]} plan${paid}; you will not be charged again, and fees are non-refundable unless the law requires it`;
}
