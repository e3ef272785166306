/** Plans a person can be on, cheapest first. */
export const planNames = ["hobby", "mini", "plus", "pro"] as const;
export type PlanName = (typeof planNames)[number];
/** The place of a plan among `planNames`, the least first. */
export const rankOf = (plan: PlanName): number => planNames.indexOf(plan);
export type PaidPlanName = Exclude<PlanName, "hobby">;
export const paidPlanNames = ["mini", "plus", "pro"] as const satisfies readonly PaidPlanName[];

/** The entitlement of a caller: a plan, or a guest's small allowance. */
export type TierName = "guest" | PlanName;

export const billingCycles = ["monthly", "yearly"] as const;
export type BillingCycle = (typeof billingCycles)[number];
/** Each of them has a hundred smallest units. */
export const currencies = ["USD", "INR", "EUR", "GBP", "AUD", "CAD", "SGD", "AED"] as const;
export type Currency = (typeof currencies)[number];

/** The period after which a credit allowance is renewed. Months and days are UTC calendar ones. */
export type AllowanceWindow = "ever" | "month" | "day";

export type Limits = {
  credits: number;
  window: AllowanceWindow;
  /** Files a UTC day that go first. */
  fastLanePerDay: number;
  filesPerBatch: number;
  megabytesPerFile: number;
  megapixelsIn: number;
  megapixelsOut: number;
};

/**
 * The one table of limits: the server enforces it, /pricing and the FAQ read it. As with the names, prices and currencies below,
 * `setPlans` puts the operator's in the place of Tintype's before anything reads it.
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

/** Guest credits a UTC day from one network, whatever happens to cookies. */
export const guestCreditsPerNetworkDay = 30;
/** Without mail no address can be verified: so many Hobby allowances' credits a UTC day from one network. */
export const hobbyAllowancesPerNetworkDay = 3;
/** Smallest units of the currency (cents, paise), in each currency that is sold in. */
type Price = Partial<Record<Currency, number>>;
/** The one table of prices, in minor units. */
export const prices: Record<PaidPlanName, Record<BillingCycle, Price>> = {
  mini: { monthly: { USD: 300, INR: 25_500 }, yearly: { USD: 3_200, INR: 275_500 } },
  plus: { monthly: { USD: 500, INR: 42_500 }, yearly: { USD: 5_400, INR: 459_000 } },
  pro: { monthly: { USD: 1_000, INR: 84_500 }, yearly: { USD: 10_800, INR: 913_000 } },
};

/** In which currency somebody pays, by the two letters of their country; `other` everywhere else. */
export const billedIn: { other: Currency; countries: Record<string, Currency> } = {
  other: "USD",
  countries: { IN: "INR" },
};

export const planLabels: Record<PlanName, string> = { hobby: "Hobby", mini: "Mini", plus: "Plus", pro: "Pro" };

/** `formatPrice({ amountMinor: 275_500, currency: "INR" })` is `₹2,755`; cents show only where there are any. */
export function formatPrice({ amountMinor, currency }: { amountMinor: number; currency: Currency }): string {
  return new Intl.NumberFormat(currency === "INR" ? "en-IN" : "en-US", {
    style: "currency",
    currency,
    minimumFractionDigits: amountMinor % 100 === 0 ? 0 : 2,
  }).format(amountMinor / 100);
}

/** All that an operator may change about the plans. */
export type PlanTable = {
  labels: typeof planLabels;
  limits: typeof limits;
  prices: typeof prices;
  billedIn: typeof billedIn;
};

/** Takes a table for this process or page. Objects keep their identity, so that whoever holds one sees it. */
export function setPlans(table: PlanTable): void {
  Object.assign(planLabels, table.labels);
  Object.assign(limits, table.limits);
  Object.assign(prices, table.prices);
  Object.assign(billedIn, table.billedIn);
}

/** @throws Error where the plan is not sold in that currency */
export function priceOfPlan(offer: { plan: PaidPlanName; cycle: BillingCycle; currency: Currency }): number {
  const price = prices[offer.plan][offer.cycle][offer.currency];
  if (price === undefined) throw new Error(`${offer.plan} is not sold in ${offer.currency}`);
  return price;
}

/** The currencies that are sold in, everybody's first. */
export const soldCurrencies = (): Currency[] => [...new Set([billedIn.other, ...Object.values(billedIn.countries)])];

export const currencyIn = (country: string | null): Currency =>
  (country === null ? undefined : billedIn.countries[country]) ?? billedIn.other;

/** `Save 10%` where every plan is that much cheaper by the year; empty where one is not. */
export function yearlySaving(): string {
  const savings = paidPlanNames.flatMap((plan) =>
    soldCurrencies().map((currency) => {
      const priceFor = (cycle: BillingCycle) => priceOfPlan({ plan, cycle, currency });
      // Never more than it is, but for prices that were rounded to whole units.
      return Math.floor(100.05 - (100 * priceFor("yearly")) / (12 * priceFor("monthly")));
    }),
  );
  const least = Math.min(...savings);
  return least > 0 ? `Save ${least}%` : "";
}
