import { planFact } from "../../lib/plan-fact.ts";
import { useStudioState } from "./work/studio-context.tsx";

/** The guest's remaining credits, for the header. In a browser with an earlier sign-in it waits until the session is known. */
export function GuestCredits() {
  const limit = useStudioState(
    ({ credits, allowance, guestUsage }) => (credits ?? allowance?.usage ?? guestUsage).limit,
  );
  const left = useStudioState(({ credits, allowance, guestUsage }) =>
    credits ? credits.remaining : limit - (allowance?.usage ?? guestUsage).used,
  );
  return (
    <p
      data-limit={planFact("guest.credits", limit)} // 0 where guests cannot use the service
      className="mx-1 text-xs whitespace-nowrap text-muted in-data-session:invisible data-[limit=0]:hidden sm:mx-2"
    >
      <b className="font-medium text-ink">{planFact("guest.credits", Math.max(0, left))}</b>
      <span className="max-sm:sr-only"> of {planFact("guest.credits", limit)}</span> credits
      <span className="max-sm:sr-only"> left</span>
    </p>
  );
}
