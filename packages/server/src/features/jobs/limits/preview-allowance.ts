import { DomainError } from "@tintype/contract";
import { dayMs } from "../../../platform/clock.ts";
import type { RateLimits } from "../../../platform/rate-limits/rate-limits.ts";

export type PreviewCaps = {
  /** Files per caller in 24 hours. */
  callerFiles: number;
  /** Files per network, of all callers, in 24 hours. */
  networkFiles: number;
};

/** Limits free previews, which would otherwise be unlimited conversions. */
export type PreviewAllowance = {
  /** Counts the files of one request. @throws too-many-requests when the caller's or the network's daily limit is used up */
  take(preview: { caller: string; network: string; files: number }): Promise<void>;
};

export function createPreviewAllowance(
  rateLimits: RateLimits,
  { callerFiles, networkFiles }: PreviewCaps,
): PreviewAllowance {
  const count = async (key: string, { limit, files, whose }: { limit: number; files: number; whose: string }) => {
    if (files === 0) return;
    const rule = { limit, windowMs: dayMs, calls: files };
    const { isAllowed, retryAfterSeconds } = await rateLimits.take(`previews:${key}`, rule);
    if (!isAllowed)
      throw new DomainError("too-many-requests", {
        detail: `${whose} used all ${limit} free previews for the day. Please try again later.`,
        retryAfterSeconds,
      });
  };
  return {
    async take({ caller, network, files }) {
      // The network first: guest keys cost nothing, and a flood of them would fill the store.
      await count(network, { limit: networkFiles, files, whose: "Your network has" });
      await count(caller, { limit: callerFiles, files, whose: "You have" });
    },
  };
}
