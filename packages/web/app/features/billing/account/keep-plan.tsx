import { formatDay, text } from "@tintype/contract";
import { Button } from "../../../ui/button.tsx";
import type { Customer } from "../customer.ts";
import { useKeepPlan } from "../use-keep-plan.ts";

type Props = { until: string; refresh: Customer["refresh"] };

/** Undoes a cancellation or a scheduled change, and says until when that is possible. */
export function KeepPlan({ until, refresh }: Props) {
  const { isBusy, keep } = useKeepPlan({ refresh });
  return (
    <>
      <Button aria-disabled={isBusy} aria-describedby="keep-until" onClick={() => void keep()}>
        {isBusy ? text.processing : "Keep my plan"}
      </Button>
      <p id="keep-until" className="text-sm text-muted">
        Available until {formatDay(until)}.
      </p>
    </>
  );
}
