import { type BillingCycle, billedIn, type Currency, type PlanName, planNames, text } from "@tintype/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { Link } from "react-router";
import { useApi } from "../../../lib/api/context.tsx";
import { joinClasses } from "../../../lib/join-classes.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import { CancelDialog } from "../account/cancel-subscription.tsx";
import type { Customer } from "../customer.ts";
import { useKeepPlan } from "../use-keep-plan.ts";
import { ConfirmUpgrade } from "./confirm-upgrade.tsx";
import { CycleChoice } from "./cycle-choice.tsx";
import { PlanCard } from "./plan-card.tsx";
import { buttonsOf, isRecommended, type PlanButton } from "./plan-offer.ts";
import { useChosenPlan } from "./use-chosen-plan.ts";
import { useUpgrade } from "./use-upgrade.ts";

/** The four plans and their buttons. */
export function PricingView({ customer, waitingImages = 0 }: { customer: Customer; waitingImages?: number }) {
  const { kind, info } = customer;
  const currency = useCurrency();
  const [cycle, setCycle] = useState<BillingCycle>("monthly");
  const { phase, choice, isPaid, choose, cancel, confirm, ...dialog } = useUpgrade(customer);
  const [isCancelling, setIsCancelling] = useState(false);
  const { isBusy: isKeeping, keep } = useKeepPlan(customer);
  useFreshInfo(customer);
  const remember = useChosenPlan({
    isReady: kind === "person" && info !== undefined && currency !== undefined,
    onReady(chosen) {
      setCycle(chosen.cycle);
      if (info?.paid_plan !== chosen.plan) choose(chosen.plan, chosen);
    },
  });
  const isUnderWay = phase === "paying" || phase === "upgrading" || isKeeping;
  function onPlanButton(plan: PlanName, { action, mode }: PlanButton) {
    if (kind !== "person") {
      remember(plan, cycle);
      return customer.logIn();
    }
    if (action === "keep") return void keep();
    if (action === "cancel") return setIsCancelling(true);
    choose(plan, { cycle, mode });
  }

  return (
    <>
      {isPaid && waitingImages > 0 && (
        <p role="status" className="mb-8 max-w-2xl rounded-md bg-sunken px-4 py-3">
          {waitingImages === 1 ? "Your image is" : `Your ${waitingImages} images are`} still in the studio.{" "}
          <Link to="/" className="underline underline-offset-2">
            Back to the studio
          </Link>
        </p>
      )}
      <CycleChoice cycle={cycle} onChoose={setCycle} />
      <div className="mt-8 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {planNames.map((plan) => (
          <PlanCard
            key={plan}
            plan={plan}
            cycle={cycle}
            currency={currency}
            buttons={buttonsOf(plan, cycle, customer)}
            hasPairs={planNames.some((name) => buttonsOf(name, cycle, customer).length > 1)}
            info={info}
            isCertain={kind !== "unknown"}
            badge={isRecommended(plan, customer) && <Recommended isCertain={kind !== "unknown"} />}
            isBusy={isKeeping ? info?.paid_plan === plan : isUnderWay && choice?.plan === plan}
            // Payment needs the person, their plan and their currency.
            isDisabled={isUnderWay || kind === "unknown" || (kind === "person" && (!info || !currency))}
            onChoose={(button) => onPlanButton(plan, button)}
          />
        ))}
      </div>
      <p className="mt-6 text-sm text-muted">
        Prices include taxes. The currency follows your country.{" "}
        <a href="https://db-ip.com" rel="noreferrer" className="underline">
          IP geolocation by DB-IP
        </a>
      </p>
      {info && (
        <CancelDialog
          info={info}
          refresh={customer.refresh}
          isOpen={isCancelling}
          onClose={() => setIsCancelling(false)}
        />
      )}
      {choice && info && (
        <ConfirmUpgrade
          {...{ choice, info }}
          quote={dialog.quote}
          problem={dialog.problem}
          onReloadQuote={dialog.reloadQuote}
          isOpen={phase === "asking" || phase === "preparing"}
          isBusy={phase === "preparing"}
          onCancel={cancel}
          onConfirm={() => void confirm()}
        />
      )}
    </>
  );
}

/** The currency of the visitor's location, or the default currency if that cannot be determined; undefined while loading. */
function useCurrency(): Currency | undefined {
  const api = useApi();
  const notify = useToasts();
  const [currency, setCurrency] = useState<Currency>();
  useEffect(() => {
    const controller = new AbortController();
    api.call("GET /get-location", { signal: controller.signal }).then(
      (place) => setCurrency(place.currency),
      () => {
        if (controller.signal.aborted) return;
        notify.error(text.locationFailed);
        setCurrency(billedIn.other);
      },
    );
    return () => controller.abort();
  }, [api, notify]);
  return currency;
}

const refreshIntervalMs = 60_000;

/** Refreshes the plan and usage every minute while a person is signed in. */
function useFreshInfo({ kind, refresh }: Customer): void {
  const notify = useToasts();
  const refreshInfo = useEffectEvent(() => {
    refresh().catch(() => notify.error(text.refreshUserFailed));
  });
  useEffect(() => {
    if (kind !== "person") return;
    const timer = setInterval(() => refreshInfo(), refreshIntervalMs);
    return () => clearInterval(timer);
  }, [kind]);
}

/** In a browser with an earlier sign-in, it stays hidden until the visitor is known. */
const Recommended = ({ isCertain }: { isCertain: boolean }) => (
  <p
    className={joinClasses(
      "rounded-sm bg-sunken px-2 py-1 text-xs font-medium",
      !isCertain && "in-data-session:invisible",
    )}
  >
    Recommended
  </p>
);
