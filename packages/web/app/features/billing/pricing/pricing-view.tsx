import { type BillingCycle, planNames } from "@tintype/contract";
import { useState } from "react";
import type { Customer } from "../customer.ts";
import { ConfirmUpgrade } from "./confirm-upgrade.tsx";
import { CycleChoice } from "./cycle-choice.tsx";
import { PlanCard } from "./plan-card.tsx";
import { offerOf } from "./plan-offer.ts";
import { useCurrency } from "./use-currency.ts";
import { useFreshInfo } from "./use-fresh-info.ts";
import { useUpgrade } from "./use-upgrade.ts";

/** The four plans, and the way to each. */
export function PricingView({ customer }: { customer: Customer }) {
  const { kind, info } = customer;
  const currency = useCurrency();
  const [cycle, setCycle] = useState<BillingCycle>("monthly");
  const { phase, choice, choose, cancel, confirm } = useUpgrade(customer);
  useFreshInfo(customer);
  const isUnderWay = phase === "paying" || phase === "upgrading";

  return (
    <>
      <CycleChoice cycle={cycle} onChoose={setCycle} />
      <div className="mt-8 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {planNames.map((plan) => (
          <PlanCard
            key={plan}
            plan={plan}
            cycle={cycle}
            currency={currency}
            offer={offerOf(plan, cycle, customer)}
            info={info}
            isBusy={isUnderWay && choice?.plan === plan}
            // Who somebody is, what they pay and in which currency has to be known before they can be asked.
            isDisabled={isUnderWay || kind === "unknown" || (kind === "person" && (!info || !currency))}
            onChoose={() => (kind === "person" ? choose(plan, cycle) : customer.logIn())}
          />
        ))}
      </div>
      <p className="mt-6 text-sm text-muted">
        The currency follows your country.{" "}
        <a href="https://db-ip.com" rel="noreferrer" className="underline">
          IP geolocation by DB-IP
        </a>
      </p>
      {choice && info && currency && (
        <ConfirmUpgrade
          {...{ choice, currency, info }}
          isOpen={phase === "asking" || phase === "preparing"}
          isBusy={phase === "preparing"}
          onCancel={cancel}
          onConfirm={() => void confirm()}
        />
      )}
    </>
  );
}
