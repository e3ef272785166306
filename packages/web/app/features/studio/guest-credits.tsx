import { planFact } from "../../lib/plan-fact.ts";
import { useStudioState } from "./work/studio-context.tsx";

/** The guest's remaining credits, for the header. In a browser with an earlier sign-in it waits until the session is known. */
export function GuestCredits() {
  const credits = useStudioState((state) => state.credits);
  const usage = useStudioState(({ allowance, guestUsage }) => allowance?.usage ?? guestUsage);
  const left = credits?.remaining ?? usage.limit - usage.used;
  const limit = planFact("guest.credits", (credits ?? usage).limit);
  return (
    <p className="credits for-guests mx-1 text-xs whitespace-nowrap text-muted in-data-session:invisible sm:mx-2">
      <b className="font-medium text-ink">{planFact("guest.credits", Math.max(0, left))}</b>
      <span className="max-sm:sr-only"> of {limit}</span> credit
      {left === 1 ? <span className="max-sm:sr-only">s</span> : "s"}
      <span className="max-sm:sr-only"> left</span>
    </p>
  );
}
