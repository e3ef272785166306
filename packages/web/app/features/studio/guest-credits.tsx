import { Meter } from "../../ui/meter.tsx";
import { useStudioState } from "./studio-context.tsx";

/** What a guest has left, for the header. Where somebody was signed in before, it waits until that is known. */
export function GuestCredits() {
  const used = useStudioState(({ credits, allowance, guestUse }) =>
    credits ? credits.limit - credits.remaining : (allowance?.usage ?? guestUse).used,
  );
  const limit = useStudioState(({ credits, allowance, guestUse }) => (credits ?? allowance?.usage ?? guestUse).limit);
  const left = Math.max(0, limit - used);
  return (
    <div
      title={`${left} of ${limit} free credits left`}
      className="mr-1 min-w-10 text-xs in-data-session:invisible sm:min-w-16"
    >
      <p aria-hidden className="mb-1 whitespace-nowrap text-muted">
        <span className="font-medium text-ink">{left}</span>
        <span className="hidden sm:inline"> of {limit}</span> left
      </p>
      <Meter label="Credits left" value={left} max={limit} isGood />
    </div>
  );
}
