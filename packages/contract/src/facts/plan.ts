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
export const currencies = ["USD", "INR"] as const;
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

/** The one table of limits: the server enforces it, /pricing and the FAQ read it. */
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
/** Shown in the header for a signed-in person before the server has answered. */
export const limitBeforeLoad = 100;

/** Smallest units of the currency: cents, paise. */
type Price = Record<Currency, number>;
/** The one table of prices, in minor units. */
export const prices: Record<PaidPlanName, Record<BillingCycle, Price>> = {
  mini: { monthly: { USD: 300, INR: 25_500 }, yearly: { USD: 3_200, INR: 275_500 } },
  plus: { monthly: { USD: 500, INR: 42_500 }, yearly: { USD: 5_400, INR: 459_000 } },
  pro: { monthly: { USD: 1_000, INR: 84_500 }, yearly: { USD: 10_800, INR: 913_000 } },
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
