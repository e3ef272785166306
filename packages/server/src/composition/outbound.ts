import type { Config } from "../config.ts";
import { createOutbound, type Outbound } from "../platform/outbound/outbound.ts";

/**
 * Opens requests to addresses from callers, if the operator allows any.
 * @throws Error if TINTYPE_URL_ALLOW contains anything but CIDR blocks
 */
export function openOutbound({ TINTYPE_URL_INPUT, TINTYPE_WEBHOOKS, TINTYPE_URL_ALLOW }: Config): Outbound | undefined {
  if (!TINTYPE_URL_INPUT && !TINTYPE_WEBHOOKS) return undefined;
  try {
    return createOutbound({ allow: TINTYPE_URL_ALLOW ?? [] });
  } catch (problem) {
    throw new Error(`TINTYPE_URL_ALLOW: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}
