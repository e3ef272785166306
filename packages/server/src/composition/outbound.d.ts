import type { Config } from "../config.ts";
import { type Outbound } from "../platform/outbound/outbound.ts";
/**
 * Requests to addresses that callers name, where the operator allows any.
 * @throws Error where TINTYPE_URL_ALLOW names something else than blocks of addresses
 */
export declare function openOutbound({ TINTYPE_URL_INPUT, TINTYPE_URL_ALLOW }: Config): Outbound | undefined;
