import type { Transaction } from "../../platform/db/database.ts";
import type { Message } from "../../platform/mail.ts";
import { putMail } from "../../platform/mail-outbox.ts";
import type { Reader } from "../accounts/account-mails.ts";
import type { Account } from "../accounts/accounts.ts";
import { writeAudit } from "./audit.ts";
import {
  beganMail,
  cancelledMail,
  chargeFailedMail,
  haltedMail,
  priceChangeMail,
  priceStaysMail,
  refundMail,
  renewedMail,
  resumedMail,
  scheduledMail,
  unusedMail,
} from "./mails.ts";
import type { PersonEffect } from "./plan-state.ts";
import { paymentsOf, wantRefund } from "./store.ts";
import { endOf, type Subscription } from "./subscription.ts";
import { unusedOf } from "./unused.ts";

/** Why a price stays although the gateway would accept the change. */
export const undelivered = "the mail could not be delivered";

export type EffectContext = {
  tx: Transaction;
  now: Date;
  origin: string;
  /** Undefined once deleted; then no mail is written. */
  account: Account | undefined;
  /** The person's current subscriptions. */
  subscriptions: readonly Subscription[];
};

/** Records the effects of a transition: an audit line, a mail, a refund. */
export async function recordEffects(dependencies: EffectContext, effect: PersonEffect): Promise<void> {
  const { tx, now, origin, account, subscriptions } = dependencies;
  const subscription = subscriptions.find(({ id }) => id === effect.subscriptionId);
  if (!subscription) return;
  const { subscriptionId, kind, ...detail } = effect;
  const write = () => writeAudit(tx, { at: now, kind, accountId: account?.id ?? null, subscriptionId, detail });
  const mail = async (occasion: string, make: (reader: Reader) => Message) => {
    if (!account?.email) return;
    const key = `${kind}:${subscriptionId}:${occasion}`;
    await putMail(tx, { key, accountId: account.id, message: make(account) }, now);
  };
  const note = async (...message: Parameters<typeof mail>) => {
    await write();
    await mail(...message);
  };
  const about = { subscription, origin };

  switch (effect.kind) {
    case "scheduled":
      return note("", (reader) => scheduledMail(reader, about));
    case "began":
      return note("", (reader) => beganMail(reader, about));
    case "renewed": {
      await write();
      // Each with its own date, even if several are learned of at once.
      const renewed = { ...subscription, paidThrough: effect.paidThrough };
      const amountMinor = await amountOf(tx, { subscription, paymentId: effect.paymentId });
      return mail(effect.paymentId, (reader) =>
        renewedMail(reader, { subscription: { ...renewed, amountMinor }, origin, paymentId: effect.paymentId }),
      );
    }
    case "charge-failed":
      return note(timeKey(subscription.paidThrough), (reader) => chargeFailedMail(reader, about));
    case "halted":
      return note(timeKey(subscription.paidThrough), (reader) => haltedMail(reader, about));
    case "stopped": {
      await write();
      if (effect.reason !== "cancelled") return;
      const end = endOf(subscription) ?? now;
      // Once per cancellation: it may have been taken back in between.
      return mail(now.toISOString(), (reader) => cancelledMail(reader, { ...about, end, now }));
    }
    case "resumed":
      return note(now.toISOString(), (reader) => resumedMail(reader, about));
    case "refund": {
      if (!(await wantRefund(tx, { paymentId: effect.paymentId, now }))) return;
      await write();
      const amountMinor = await amountOf(tx, { subscription, paymentId: effect.paymentId });
      return mail(effect.paymentId, (reader) =>
        refundMail(reader, { subscription: { ...subscription, amountMinor }, origin }),
      );
    }
    case "refund-unused": {
      const at = subscription.stop?.refundsFrom;
      if (!at) return;
      for (const payment of await paymentsOf(tx, subscriptionId)) {
        const { days, amountMinor } = unusedOf(payment, at);
        if (amountMinor === 0 || !(await wantRefund(tx, { paymentId: payment.id, amountMinor, now }))) continue;
        const detail = { paymentId: payment.id, days, amountMinor };
        await writeAudit(tx, { at: now, kind, accountId: account?.id ?? null, subscriptionId, detail });
        await mail(payment.id, (reader) => unusedMail(reader, { ...about, days, amountMinor }));
      }
      return;
    }
    case "price-announced": {
      const { amountMinor, from } = effect;
      return note(timeKey(effect.announcedAt), (reader) => priceChangeMail(reader, { ...about, amountMinor, from }));
    }
    case "price-withdrawn":
    case "price-refused": {
      await write();
      // Whoever got no mail about a change needs none about its withdrawal.
      if (effect.kind === "price-refused" && effect.reason === undelivered) return;
      return mail(timeKey(effect.announcedAt), (reader) => priceStaysMail(reader, about));
    }
    case "price-scheduled":
    case "price-moved":
    case "started":
    case "ended":
      return write();
  }
}

const timeKey = (at: Date | null) => at?.toISOString() ?? "";

/** The outbox key of the mail that announces a new price. */
export const announcedKey = (subscriptionId: string, announcedAt: Date): string =>
  `price-announced:${subscriptionId}:${timeKey(announcedAt)}`;

/** The amount of a payment, which may differ from the current renewal price. */
async function amountOf(
  tx: Transaction,
  { subscription, paymentId }: { subscription: Subscription; paymentId: string },
): Promise<number> {
  const paid = (await paymentsOf(tx, subscription.id)).find(({ id }) => id === paymentId);
  return paid?.amountMinor ?? subscription.amountMinor;
}
