import { limits, type PublicConfig } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { Caller } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";

export type PublicSettings = Pick<
  PublicConfig,
  "version" | "identity" | "access" | "payments" | "url_input" | "webhooks"
>;

/** `GET /config`. Usage is passed as a function, because credits depend on accounts. */
export function mountConfig(
  mount: Mount,
  {
    settings,
    usageOf,
  }: { settings: PublicSettings; usageOf(caller: Caller): Promise<{ used: number; limit: number }> },
): void {
  mount(endpoints.config, async ({ caller }) => {
    const { used, limit } = await usageOf(caller);
    return { ...settings, tier: caller.tier, limits: limits[caller.tier], usage: { used, limit } };
  });
}
