import { welcomeMail } from "../features/accounts/account-mails.ts";
import type { Accounts } from "../features/accounts/accounts.ts";
import { holderOf } from "../features/accounts/accounts.ts";
import { keptKeysOf } from "../features/accounts/deleted.ts";
import { restoreCounters } from "../features/credits/kept-counters.ts";
import type { Clock } from "../platform/clock.ts";
import { putMail } from "../platform/mail-outbox.ts";

type NewAccounts = {
  clock: Clock;
  /** Key the hashes by which counters are kept. */
  countersKeys: readonly string[];
  origin: string;
  /** The issuer that mails a link of its own to an unverified address; no second mail goes to it. */
  verifyingIssuer: string | undefined;
};

/** Gives a new account the counters that a deleted one of the same person left, and a welcome by mail. */
export function createNewAccounts({ clock, countersKeys, origin, verifyingIssuer }: NewAccounts): Accounts["onMade"] {
  return async (tx, account) => {
    const now = clock.now();
    await restoreCounters(tx, {
      holder: holderOf(account.id),
      keys: countersKeys.flatMap((key) => Object.values(keptKeysOf(account, key))),
      now,
    });
    const waitsForLink = account.issuer === verifyingIssuer && !account.emailVerified;
    if (account.email === "" || waitsForLink) return;
    const message = welcomeMail(account, { origin });
    await putMail(tx, { key: `welcome:${account.id}`, accountId: account.id, message }, now);
  };
}
