import type { UserInfo } from "@tintype/contract";
import { formatNumber } from "../../../lib/size.ts";
import { Meter } from "../../../ui/meter.tsx";

type Props = { used: number; limit: number; window: UserInfo["window"] | undefined };

/** Credits used out of the limit, in numbers and as a bar. */
export function UsageIndicator({ used, limit, window }: Props) {
  const when = window === undefined ? "" : { ever: "", month: " this month", day: " today" }[window];
  return (
    <div
      title={`${formatNumber(used)} of ${formatNumber(limit)} credits used${when}`}
      className="mr-1 min-w-16 text-xs sm:min-w-20"
    >
      <p aria-hidden className="mb-1 whitespace-nowrap text-muted">
        <span className="font-medium text-ink">{formatNumber(used)}</span> of {formatNumber(limit)}
        <span className="max-sm:hidden"> used</span>
      </p>
      <Meter label="Credits used" value={used} max={limit} />
    </div>
  );
}
