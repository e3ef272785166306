import type { Config } from "../config.ts";
import type { UnverifiedAccounts } from "../features/credits/allowance.ts";
/**
 * Whether new accounts verify their address: `auto` does where mails leave by SMTP.
 * @throws Error where it is on and no mail can be read anywhere
 */
export declare function verifiesAddresses(config: Config): boolean;
/** The allowance of an account whose address is not verified. A machine that only its own user reaches sets no limit. */
export declare function countUnverified(config: Config): UnverifiedAccounts;
