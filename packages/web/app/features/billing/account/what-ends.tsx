import { formatDay, planLabels, type UserInfo } from "@tintype/contract";

/** Everything that ends when an account is deleted, by its name. */
export function WhatEnds({ info }: { info: UserInfo | undefined }) {
  return (
    <>
      <p>Deleted at once, and cannot be brought back:</p>
      <ul className="list-disc space-y-1 pl-5">
        {info && info.plan !== "hobby" && <li>{planEnd(info)}</li>}
        {info?.next_plan && info.next_billing_date && (
          <li>
            the change to {planLabels[info.next_plan]} on {formatDay(info.next_billing_date)}, which is never charged
          </li>
        )}
        <li>{info ? `the ${creditsOf(info)} you have left` : "your credits"}, and your credit history</li>
        <li>your API keys: programs that use them are refused from then on</li>
        <li>pictures that are being worked on, and results that are not downloaded</li>
        <li>your list of payments (bookkeeping keeps them without your name)</li>
        <li>your name, your e-mail address and your way to sign in</li>
      </ul>
    </>
  );
}

const creditsOf = ({ limit, service_count }: UserInfo): string => {
  const left = Math.max(0, limit - service_count);
  return `${left.toLocaleString("en")} ${left === 1 ? "credit" : "credits"}`;
};

function planEnd({ plan, renewal_date, subscription_status }: UserInfo): string {
  const paid =
    renewal_date && subscription_status !== "past_due" ? `, which is paid until ${formatDay(renewal_date)}` : "";
  return `your ${planLabels[plan]} plan${paid}; nothing more is charged, and fees are not refunded unless the law requires it`;
}
