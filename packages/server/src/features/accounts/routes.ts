import { limits, type PublicConfig } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Caller } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";

export type PublicSettings = Pick<
  PublicConfig,
  "mode" | "version" | "identity" | "access" | "payments" | "url_input" | "webhooks"
>;

/** `GET /config`. Usage is passed as a function, because credits depend on accounts. */
export function mountConfig(
  mount: Mount,
  {
    settings,
    usageOf,
  }: { settings: PublicSettings; usageOf(caller: Caller): Promise<{ used: number; limit: number | null }> },
): void {
  mount(endpoints.config, async ({ caller }) => {
    const { used, limit } = await usageOf(caller);
    const own = limits[caller.tier];
    const { credits } = own;
    // Guests who cannot use the service have none, whatever the rest has.
    const isRefused = caller.kind === "guest" && !settings.access.guests;
    return {
      ...settings,
      tier: caller.tier,
      limits: { ...own, credits: limit === null ? null : credits },
      usage: { used, limit: isRefused ? 0 : limit },
    };
  });
}
