import { welcomeMail } from "../features/accounts/account-mails.ts";
import type { AccountDependencies } from "../features/accounts/accounts.ts";
import { holderOf } from "../features/accounts/accounts.ts";
import { keptKeysOf } from "../features/accounts/deleted.ts";
import { restoreCounters } from "../features/credits/kept-counters.ts";
import { setRole } from "../features/desk/operators.ts";
import type { Clock } from "../platform/clock.ts";
import { putMail } from "../platform/mail-outbox.ts";

type NewAccounts = {
  clock: Clock;
  /** The keys for the hashes that identify kept counters. */
  countersKeys: readonly string[];
  origin: string;
  /** The issuer that mails its own link to an unverified address, which gets no second mail. */
  verifyingIssuer: string | undefined;
};

/** Gives a new account the counters left by the same person's deleted account, and mails a welcome. */
export function createNewAccounts({
  clock,
  countersKeys,
  origin,
  verifyingIssuer,
}: NewAccounts): AccountDependencies["onCreated"] {
  return async (tx, account, invitation) => {
    const now = clock.now();
    if (invitation?.role) {
      const reason = `invitation ${invitation.id}`;
      await setRole(tx, { at: now, actor: invitation.createdBy, reason, accountId: account.id, role: invitation.role });
    }
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
