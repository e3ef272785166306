import { type BillingCycle, billingCycles, yearlySaving } from "@tintype/contract";
import { joinClasses } from "../../../lib/join-classes.ts";
import { planFact } from "../../../lib/plan-fact.ts";

type Props = { cycle: BillingCycle; onChoose(cycle: BillingCycle): void };

const labels: Record<BillingCycle, string> = { monthly: "Monthly", yearly: "Yearly" };

/** Monthly or yearly billing. */
export function CycleChoice({ cycle, onChoose }: Props) {
  return (
    <fieldset className="inline-flex flex-wrap rounded-md border border-line bg-sunken p-1">
      <legend className="sr-only">Billing cycle</legend>
      {billingCycles.map((option) => (
        <label
          key={option}
          className={joinClasses(
            "relative flex min-h-10 items-center gap-2 rounded-sm px-4 text-sm transition-colors",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
            option === cycle ? "bg-surface font-medium text-ink shadow-card" : "text-muted hover:text-ink",
          )}
        >
          <input
            type="radio"
            name="cycle"
            value={option}
            checked={option === cycle}
            onChange={() => onChoose(option)}
            className="absolute inset-0 size-full cursor-pointer appearance-none rounded-sm outline-none"
          />
          {labels[option]}{" "}
          {option === "yearly" && (
            <span className="text-xs font-medium text-accent-ink">{planFact("saving", yearlySaving())}</span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
