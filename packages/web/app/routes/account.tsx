import type { ReactNode } from "react";
import { Link } from "react-router";
import { CreditHistory } from "../features/billing/account/credit-history.tsx";
import { PlanSummary } from "../features/billing/account/plan-summary.tsx";
import { SubscriptionLine } from "../features/billing/account/subscription-line.tsx";
import { UsesSummary } from "../features/billing/account/uses-summary.tsx";
import { WhatEnds } from "../features/billing/account/what-ends.tsx";
import type { Customer } from "../features/billing/customer.ts";
import { DeleteAccount } from "../features/session/account/delete-account.tsx";
import { Profile } from "../features/session/account/profile.tsx";
import { RequireSignIn } from "../features/session/account/require-sign-in.tsx";
import { UpdatePassword } from "../features/session/account/update-password.tsx";
import type { Person } from "../features/session/port.ts";
import { useSessionWork } from "../features/session/use-session-work.ts";
import { useVerifiedNotice } from "../features/session/verification/use-verified-notice.ts";
import { isPrivate } from "../lib/brand.ts";
import { unlistedMeta } from "../lib/seo.ts";
import { Button, buttonClasses } from "../ui/button.tsx";
import { useCustomer, useRefreshOnMount } from "./customer.ts";

export const meta = () => unlistedMeta("Account");

export default function Account() {
  useVerifiedNotice();
  return <RequireSignIn>{(person) => <AccountOf key={person.id} person={person} />}</RequireSignIn>;
}

function AccountOf({ person }: { person: Person }) {
  const customer = useCustomer();
  const { info } = customer;
  useRefreshOnMount(customer);
  return (
    <div className="page-width pt-10 sm:pt-16">
      <Profile person={person} />
      <div className="mt-12 grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <section aria-labelledby="settings" className="min-w-0 lg:order-none">
          <h2 id="settings" className="text-2xl">
            Settings
          </h2>
          <ul className="mt-2 divide-y divide-line">
            {!isPrivate && <SoldSettings customer={customer} />}
            <Setting title="Usage">
              <Link to="/account/usage" className={buttonClasses()}>
                See Usage
              </Link>
            </Setting>
            <Setting title="API">
              <div className="flex flex-wrap gap-3">
                <Link to="/account/keys" className={buttonClasses()}>
                  API Keys
                </Link>
                <Link to="/account/webhooks" className={buttonClasses()}>
                  Webhooks
                </Link>
              </div>
            </Setting>
            <SecuritySetting />
            <Setting title="Account">
              <div className="flex flex-wrap gap-3">
                <UpdatePassword />
                <DeleteAccount person={person}>
                  <WhatEnds info={info} />
                </DeleteAccount>
              </div>
            </Setting>
          </ul>
        </section>
        {isPrivate ? <UsesSummary info={info} /> : <PlanSummary info={info} />}
      </div>
      {info && <CreditHistory key={info.service_count} />}
    </div>
  );
}

function SoldSettings({ customer }: { customer: Customer }) {
  return (
    <>
      <Setting title="Subscription">
        <SubscriptionLine customer={customer} />
      </Setting>
      <Setting title="Payments">
        <div className="flex flex-wrap gap-3">
          <Link to="/account/transactions" className={buttonClasses()}>
            View Transaction History
          </Link>
          <Button disabled aria-describedby="no-payment-method">
            Update Payment Method
          </Button>
        </div>
        <p id="no-payment-method" className="mt-2 text-sm text-muted">
          Your card is tied to your subscription. To change it, subscribe again with the new card.
        </p>
      </Setting>
    </>
  );
}

/**
 * Only for the built-in provider; others have account pages of their own. Shown before the provider is known, so that
 * the layout does not shift.
 */
function SecuritySetting() {
  const work = useSessionWork();
  if (work && !work.factors) return null;
  return (
    <Setting title="Security">
      <Link to="/account/security" className={buttonClasses()}>
        Sign-in and Security
      </Link>
    </Setting>
  );
}

function Setting({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid items-baseline gap-x-8 gap-y-2 py-6 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <h3 className="font-sans text-sm leading-6 font-medium tracking-normal text-muted">{title}</h3>
      <div>{children}</div>
    </li>
  );
}
