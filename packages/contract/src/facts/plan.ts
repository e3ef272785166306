import { priceLocale } from "./locale.ts";

/** Plans a person can have, cheapest first. */
export const planNames = ["hobby", "mini", "plus", "pro"] as const;
export type PlanName = (typeof planNames)[number];
/** The index of a plan in `planNames`, cheapest first. */
export const rankOf = (plan: PlanName): number => planNames.indexOf(plan);
export type PaidPlanName = Exclude<PlanName, "hobby">;
export const paidPlanNames = ["mini", "plus", "pro"] as const satisfies readonly PaidPlanName[];

/** What a caller is entitled to: a plan, or a guest's small allowance. */
export type TierName = "guest" | PlanName;

export const billingCycles = ["monthly", "yearly"] as const;
export type BillingCycle = (typeof billingCycles)[number];
/** One unit of each is a hundred minor units. */
export const currencies = ["USD", "INR", "EUR", "GBP", "AUD", "CAD", "SGD", "AED"] as const;
export type Currency = (typeof currencies)[number];

/** The period after which a credit allowance renews, in UTC calendar months or days. */
export type AllowanceWindow = "ever" | "month" | "day";

export type Limits = {
  credits: number;
  window: AllowanceWindow;
  /** Files per UTC day that are processed with priority. */
  fastLanePerDay: number;
  filesPerBatch: number;
  megabytesPerFile: number;
  megapixelsIn: number;
  megapixelsOut: number;
};

/**
 * The one table of limits: the server enforces it, and /pricing and the FAQ read it. As with the names, prices and currencies
 * below, `setPlans` replaces Tintype's values with the operator's before anything reads them.
 */
export const limits: Record<TierName, Limits> = {
  guest: {
    credits: 5,
    window: "ever",
    fastLanePerDay: 0,
    filesPerBatch: 5,
    megabytesPerFile: 10,
    megapixelsIn: 25,
    megapixelsOut: 25,
  },
  hobby: {
    credits: 100,
    window: "month",
    fastLanePerDay: 0,
    filesPerBatch: 20,
    megabytesPerFile: 25,
    megapixelsIn: 50,
    megapixelsOut: 50,
  },
  mini: {
    credits: 100,
    window: "day",
    fastLanePerDay: 0,
    filesPerBatch: 50,
    megabytesPerFile: 50,
    megapixelsIn: 100,
    megapixelsOut: 100,
  },
  plus: {
    credits: 500,
    window: "day",
    fastLanePerDay: 500,
    filesPerBatch: 100,
    megabytesPerFile: 100,
    megapixelsIn: 200,
    megapixelsOut: 200,
  },
  pro: {
    credits: 1000,
    window: "day",
    fastLanePerDay: 1000,
    filesPerBatch: 200,
    megabytesPerFile: 100,
    megapixelsIn: 200,
    megapixelsOut: 200,
  },
};

/** Guest credits per UTC day and network, even if cookies are cleared. */
export const guestCreditsPerNetworkDay = 30;
/** Addresses cost nothing, so the Hobby accounts of a network share this many allowances per UTC day. */
export const hobbyAllowancesPerNetworkDay = 3;
/** How many times as many they share on a network where a paid plan was used this month or last: a company or a university. */
export const payingNetworkFactor = 10;
/** Minor units (cents, paise) in each currency that plans are sold in. */
type Price = Partial<Record<Currency, number>>;
/** The one table of prices, in minor units. */
export const prices: Record<PaidPlanName, Record<BillingCycle, Price>> = {
  mini: { monthly: { USD: 300, INR: 25_500 }, yearly: { USD: 3_200, INR: 275_500 } },
  plus: { monthly: { USD: 500, INR: 42_500 }, yearly: { USD: 5_400, INR: 459_000 } },
  pro: { monthly: { USD: 1_000, INR: 84_500 }, yearly: { USD: 10_800, INR: 913_000 } },
};

/** The currency that a customer pays in, by ISO 3166-1 country code. `other` applies everywhere else. */
export const billedIn: { other: Currency; countries: Record<string, Currency> } = {
  other: "USD",
  countries: { IN: "INR" },
};

export const planLabels: Record<PlanName, string> = { hobby: "Hobby", mini: "Mini", plus: "Plus", pro: "Pro" };

/** `formatPrice({ amountMinor: 275_500, currency: "INR" })` is `₹2,755`. Cents are shown only if not zero. */
export function formatPrice({ amountMinor, currency }: { amountMinor: number; currency: Currency }): string {
  return new Intl.NumberFormat(priceLocale(currency), {
    style: "currency",
    currency,
    minimumFractionDigits: amountMinor % 100 === 0 ? 0 : 2,
  }).format(amountMinor / 100);
}

/** Everything that an operator may change about the plans. */
export type PlanTable = {
  labels: typeof planLabels;
  limits: typeof limits;
  prices: typeof prices;
  billedIn: typeof billedIn;
};

/** Sets the plans of this process or page. Tables are changed in place, so that existing references see the new values. */
export function setPlans(table: PlanTable): void {
  Object.assign(planLabels, table.labels);
  Object.assign(limits, table.limits);
  Object.assign(prices, table.prices);
  Object.assign(billedIn, table.billedIn);
}

/** @throws Error if the plan is not sold in that currency */
export function priceOfPlan(offer: { plan: PaidPlanName; cycle: BillingCycle; currency: Currency }): number {
  const price = prices[offer.plan][offer.cycle][offer.currency];
  if (price === undefined) throw new Error(`${offer.plan} is not sold in ${offer.currency}`);
  return price;
}

/** The currencies that plans are sold in, the default first. */
export const soldCurrencies = (): Currency[] => [...new Set([billedIn.other, ...Object.values(billedIn.countries)])];

export const currencyIn = (country: string | null): Currency =>
  (country === null ? undefined : billedIn.countries[country]) ?? billedIn.other;

/** `Save 10%`, the smallest yearly saving over all plans and currencies. Empty if one of them saves nothing. */
export function yearlySaving(): string {
  const savings = paidPlanNames.flatMap((plan) =>
    soldCurrencies().map((currency) => {
      const priceFor = (cycle: BillingCycle) => priceOfPlan({ plan, cycle, currency });
      // Rounded down, so as not to overstate the saving. The extra 0.05 allows for prices rounded to whole units.
      return Math.floor(100.05 - (100 * priceFor("yearly")) / (12 * priceFor("monthly")));
    }),
  );
  const smallest = Math.min(...savings);
  return smallest > 0 ? `Save ${smallest}%` : "";
}
