/** How charges to a card turn out. */
export type CardBehaviour = "succeeds" | "keeps-plan" | "declined" | "renewal-fails-once" | "renewal-fails";

/** The cards that the test checkout accepts, with any future date and any three digits. */
export const testCards: readonly { number: string; behaviour: CardBehaviour; label: string }[] = [
  { number: "4111111111111111", behaviour: "succeeds", label: "Succeeds" },
  { number: "4000000000000507", behaviour: "keeps-plan", label: "Succeeds, and its price can never change" },
  { number: "4000000000000002", behaviour: "declined", label: "Is declined" },
  { number: "4000000000000341", behaviour: "renewal-fails", label: "Succeeds now, fails at every renewal" },
  { number: "4000000000000259", behaviour: "renewal-fails-once", label: "Succeeds now, fails once at each renewal" },
];

export type EnteredCard = { number: string; expiry: string; code: string };
type CardReading = { behaviour: CardBehaviour; last4: string } | { wrong: string };

/** Parses a card as entered, or returns a message that says what is wrong with it. */
export function readCard({ number, expiry, code }: EnteredCard, now: Date): CardReading {
  const digits = number.replace(/[\s-]/g, "");
  if (!/^\d{12,19}$/.test(digits) || !hasCheckDigit(digits)) return { wrong: "The card number is invalid." };
  const [, month, year] = /^\s*(0[1-9]|1[0-2])\s*\/\s*(\d{2})\s*$/.exec(expiry) ?? [];
  if (!month || !year) return { wrong: "The expiry date is a month and a year, like 08/31." };
  if (Date.UTC(2000 + Number(year), Number(month), 1) <= now.getTime()) return { wrong: "The card has expired." };
  if (!/^\d{3,4}$/.test(code.trim())) return { wrong: "The security code has three digits." };
  const behaviour = testCards.find((card) => card.number === digits)?.behaviour;
  if (!behaviour) return { wrong: "Only the test cards below work here. Never enter a real card." };
  return { behaviour, last4: digits.slice(-4) };
}

/** Luhn's check digit (ISO/IEC 7812-1, annex B). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, position) => {
    const value = Number(digit) * (position % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Whether a charge succeeds; `attempt` counts from 0 within one renewal. */
export function isCharged(
  behaviour: CardBehaviour,
  { isRenewal, attempt }: { isRenewal: boolean; attempt: number },
): boolean {
  if (behaviour === "succeeds" || behaviour === "keeps-plan") return true;
  if (behaviour === "declined") return false;
  return !isRenewal || (behaviour === "renewal-fails-once" && attempt > 0);
}
