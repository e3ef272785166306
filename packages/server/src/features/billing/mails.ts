import { formatDay, formatPrice, planLabels } from "@tintype/contract";
import { nameSlot } from "../../platform/brand/brand-mail.ts";
import type { Message } from "../../platform/mail.ts";
import { type Reader, writeMail } from "../accounts/account-mails.ts";
import { nextPriceOf, type Subscription } from "./subscription.ts";

type MailContext = { subscription: Subscription; origin: string };

const per = { monthly: "a month", yearly: "a year" } as const;

const labelOf = ({ plan }: Subscription) => planLabels[plan];
const priceOf = (subscription: Subscription) => `${formatPrice(subscription)} ${per[subscription.cycle]}`;
const dayOf = (at: Date | null) => (at ? formatDay(at) : "");

/** The card is authorised for a plan that starts later. Nothing was charged. */
export function scheduledMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  const day = dayOf(subscription.startsAt);
  return writeMail(to, `Your ${label} plan starts on ${day}`, {
    paragraphs: [
      `Thank you. You keep your current plan until ${day}, then ${label} starts. Nothing is charged before then.`,
      "If you change your mind before then, you can keep your current plan in your account.",
    ],
    facts: [
      ["Plan", label],
      ["Price", priceOf(subscription)],
      ["Charged today", formatPrice({ ...subscription, amountMinor: 0 })],
      ["First charge on", day],
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

/** The first payment arrived, and the plan is active. */
export function beganMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  return writeMail(to, `You are on ${nameSlot} ${label}`, {
    paragraphs: [
      `Thank you. We have received your payment, and you are now on ${label}.`,
      "You can cancel at any time in your account and keep the plan until the end of the paid period.",
    ],
    facts: [
      ["Plan", label],
      ["Price", priceOf(subscription)],
      ["Paid", formatPrice(subscription)],
      ["Renews on", dayOf(subscription.paidThrough)],
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

export function renewedMail(
  to: Reader,
  { subscription, origin, paymentId }: MailContext & { paymentId: string },
): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan was renewed`, {
    paragraphs: [`Your ${label} plan continues. You do not need to do anything.`],
    facts: [
      ["Paid", formatPrice(subscription)],
      ["Paid until", dayOf(subscription.paidThrough)],
      ["Payment", paymentId],
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}

export function chargeFailedMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  return writeMail(to, "We could not charge your card", {
    paragraphs: [
      `The charge for your ${label} plan (${priceOf(subscription)}) was declined by your bank.`,
      `You keep your plan for now, and we will retry over the next few days. If the payment keeps failing, your account moves to ${planLabels.hobby}. Nothing in it is lost.`,
      "To pay with another card, choose your plan again on the pricing page.",
    ],
    link: { label: "Plans and prices", url: `${origin}/pricing` },
  });
}

export function haltedMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan has ended`, {
    paragraphs: [
      `We tried several times but could not charge your ${label} plan. Your account is now on ${planLabels.hobby}. Nothing in it is lost.`,
      "You can choose a plan again at any time.",
    ],
    link: { label: "Plans and prices", url: `${origin}/pricing` },
  });
}

export function cancelledMail(
  to: Reader,
  { subscription, origin, end, now }: MailContext & { end: Date; now: Date },
): Message {
  const label = labelOf(subscription);
  if (end <= now)
    return writeMail(to, `Your ${label} plan has ended`, {
      paragraphs: [
        `Your subscription is cancelled and will not be charged again. Your account is now on ${planLabels.hobby}.`,
      ],
      link: { label: "Your account", url: `${origin}/account` },
    });
  return writeMail(to, `Your ${label} plan ends on ${dayOf(end)}`, {
    paragraphs: [
      `Your subscription is cancelled and will not be charged again. You keep ${label} until ${dayOf(end)}, then your account moves to ${planLabels.hobby}.`,
      "If you change your mind before then, you can keep the plan in your account.",
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

/** Announces a change of the renewal price. */
export function priceChangeMail(
  to: Reader,
  { subscription, origin, amountMinor, from }: MailContext & { amountMinor: number; from: Date },
): Message {
  const label = labelOf(subscription);
  const day = dayOf(from);
  const price = priceOf({ ...subscription, amountMinor });
  return writeMail(to, `The price of your ${label} plan changes on ${day}`, {
    paragraphs: [
      amountMinor > subscription.amountMinor
        ? `From your renewal on ${day}, your ${label} plan costs ${price} instead of ${priceOf(subscription)}. Nothing changes before then.`
        : `From your renewal on ${day}, or the one after it at the latest, your ${label} plan costs ${price} instead of ${priceOf(subscription)}.`,
      amountMinor > subscription.amountMinor
        ? `You do not need to do anything to keep the plan. If you do not want it at the new price, cancel it or choose another plan in your account before ${day}: you keep it until the end of the period you have paid for, and are never charged the new price.`
        : "You do not need to do anything. You can cancel or change your plan in your account at any time.",
    ],
    facts: [
      ["Plan", label],
      ["Price now", priceOf(subscription)],
      ["New price", price],
      ["New price from", day],
    ],
    link: { label: "Cancel or change your plan", url: `${origin}/account` },
  });
}

/** An announced change of price is withdrawn. */
export function priceStaysMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  return writeMail(to, `The price of your ${label} plan stays the same`, {
    paragraphs: [
      `We wrote to you that the price of your ${label} plan would change. It does not: you still pay ${priceOf(subscription)} at each renewal.`,
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

/** A cancellation or a scheduled change was undone. */
export function resumedMail(to: Reader, { subscription, origin }: MailContext): Message {
  const label = labelOf(subscription);
  const next = nextPriceOf(subscription);
  const newPrice: [string, string][] = next
    ? [[`Price from ${dayOf(next.from)}`, priceOf({ ...subscription, amountMinor: next.amountMinor })]]
    : [];
  return writeMail(to, `Your ${label} plan continues`, {
    paragraphs: [
      `You keep ${label}. The scheduled cancellation or change has been undone, and nothing was charged for it.`,
    ],
    facts: [
      ["Plan", label],
      ["Price", priceOf(subscription)],
      ["Renews on", dayOf(subscription.paidThrough)],
      ...newPrice,
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

type UnusedMailContext = MailContext & { days: number; amountMinor: number };
/** Another plan replaced it within a period. */
export function unusedMail(to: Reader, { subscription, origin, days, amountMinor }: UnusedMailContext): Message {
  const { currency } = subscription;
  return writeMail(to, `Your refund for unused days of ${labelOf(subscription)}`, {
    paragraphs: [
      "You changed to another plan before the end of your paid period. We are refunding the unused days to your card, which takes a few days.",
    ],
    facts: [
      ["Unused days", String(days)],
      ["Refunded", formatPrice({ amountMinor, currency })],
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}

export function refundMail(to: Reader, { subscription, origin }: MailContext): Message {
  return writeMail(to, "Your payment is being refunded", {
    paragraphs: [
      `We received a payment of ${formatPrice(subscription)} for ${labelOf(subscription)} that was not due: you already had another subscription, or this one had ended. We are refunding all of it to your card, which takes a few days.`,
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}

/** An operator refunded a payment, in whole or in part. */
export function refundedMail(
  to: Reader,
  { subscription, origin, amountMinor }: MailContext & { amountMinor: number },
): Message {
  const { currency } = subscription;
  return writeMail(to, `Your refund for ${labelOf(subscription)}`, {
    paragraphs: [
      `We are refunding ${formatPrice({ amountMinor, currency })} of your payment for ${labelOf(subscription)} to your card, which takes a few days.`,
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}
