import { formatDay, formatPrice, planLabels, productName } from "@tintype/contract";
import type { Message } from "../../platform/mail.ts";
import { type Reader, writeMail } from "../accounts/account-mails.ts";
import type { Subscription } from "./subscription.ts";

type About = { subscription: Subscription; origin: string };

const per = { monthly: "a month", yearly: "a year" } as const;

const labelOf = ({ plan }: Subscription) => planLabels[plan];
const priceOf = (subscription: Subscription) => `${formatPrice(subscription)} ${per[subscription.cycle]}`;
const dayOf = (at: Date | null) => (at ? formatDay(at) : "");

/** The card is authorised for a plan that begins later; nothing was charged. */
export function scheduledMail(to: Reader, { subscription, origin }: About): Message {
  const label = labelOf(subscription);
  const day = dayOf(subscription.startsAt);
  return writeMail(to, `Your ${label} plan begins on ${day}`, {
    paragraphs: [
      `Thank you. Your present plan stays until ${day}; then ${label} begins. Nothing is charged before that day.`,
      "Until then you can keep your present plan instead, in your account.",
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

/** The first payment arrived: the plan is theirs. */
export function beganMail(to: Reader, { subscription, origin }: About): Message {
  const label = labelOf(subscription);
  return writeMail(to, `You are on ${productName} ${label}`, {
    paragraphs: [
      `Thank you. Your payment arrived, and ${label} is yours from this moment.`,
      "You can cancel at any time in your account; the plan then stays until what you paid for is over.",
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

export function renewedMail(to: Reader, { subscription, origin, paymentId }: About & { paymentId: string }): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan was renewed`, {
    paragraphs: [`Your ${label} plan goes on. You need do nothing.`],
    facts: [
      ["Paid", formatPrice(subscription)],
      ["Paid until", dayOf(subscription.paidThrough)],
      ["Payment", paymentId],
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}

export function chargeFailedMail(to: Reader, { subscription, origin }: About): Message {
  const label = labelOf(subscription);
  return writeMail(to, "We could not charge your card", {
    paragraphs: [
      `The charge for your ${label} plan (${priceOf(subscription)}) was declined by your bank.`,
      `Your plan stays for now, and the charge is tried again over the next days. Should it go on failing, your account goes back to ${planLabels.hobby}; nothing in it is lost.`,
      "To pay with another card, choose your plan once more on the pricing page.",
    ],
    link: { label: "Plans and prices", url: `${origin}/pricing` },
  });
}

export function haltedMail(to: Reader, { subscription, origin }: About): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan has ended`, {
    paragraphs: [
      `Your ${label} plan could not be charged, also not on repeated attempts. Your account is on ${planLabels.hobby} now; nothing in it is lost.`,
      "You can choose a plan again at any time.",
    ],
    link: { label: "Plans and prices", url: `${origin}/pricing` },
  });
}

export function cancelledMail(to: Reader, { subscription, origin, end }: About & { end: Date }): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan ends on ${dayOf(end)}`, {
    paragraphs: [
      `Your subscription is cancelled and will not be charged again. ${label} stays yours until ${dayOf(end)}; then your account goes on with ${planLabels.hobby}.`,
      "Should you change your mind before that day, you can keep the plan in your account.",
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

/** A cancellation or a scheduled change was taken back. */
export function resumedMail(to: Reader, { subscription, origin }: About): Message {
  const label = labelOf(subscription);
  return writeMail(to, `Your ${label} plan goes on`, {
    paragraphs: [
      `${label} goes on as before. The end, or the change, that was scheduled is off. Nothing was charged for it.`,
    ],
    facts: [
      ["Plan", label],
      ["Price", priceOf(subscription)],
      ["Renews on", dayOf(subscription.paidThrough)],
    ],
    link: { label: "Your account", url: `${origin}/account` },
  });
}

type Unused = About & { days: number; amountMinor: number };
/** Another plan took its place within a period. */
export function unusedMail(to: Reader, { subscription, origin, days, amountMinor }: Unused): Message {
  const { currency } = subscription;
  return writeMail(to, `We are returning the unused days of ${labelOf(subscription)}`, {
    paragraphs: [
      "You changed to another plan before the end of what you had paid for. We are returning the price of the unused days to your card, which takes your bank a few days.",
    ],
    facts: [
      ["Unused days", String(days)],
      ["Returned", formatPrice({ amountMinor, currency })],
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}

export function refundMail(to: Reader, { subscription, origin }: About): Message {
  return writeMail(to, "We are returning a payment", {
    paragraphs: [
      `A payment of ${formatPrice(subscription)} for ${labelOf(subscription)} arrived that you did not have to make: another subscription was already running, or this one had ended. We are returning all of it to your card, which takes your bank a few days.`,
    ],
    link: { label: "Your payments", url: `${origin}/account/transactions` },
  });
}
