import {
  billedIn,
  billingCycles,
  type Currency,
  countryCodes,
  currencies,
  formatPrice,
  guestCreditsPerNetworkDay,
  type Limits,
  limits,
  locale,
  type PaidPlanName,
  type PlanTable,
  paidPlanNames,
  planLabels,
  planNames,
  prices,
  tierNames,
} from "@tintype/contract";
import { z } from "zod";

/** Tintype's own plans, copied before a brand replaces them. */
export const tintypePlans: PlanTable = {
  labels: { ...planLabels },
  limits: { ...limits },
  prices: { ...prices },
  billedIn: { ...billedIn },
};

const count = (max: number) =>
  z
    .int("expected a whole number")
    .min(1, "expected 1 or more")
    .max(max, `expected at most ${max.toLocaleString(locale)}`);
const limitFields = {
  credits: count(1_000_000).optional(),
  files_per_batch: count(500).optional(),
  megabytes_per_file: count(500).optional(),
  // An engine has enough memory for this many pixels.
  megapixels_in: count(200).optional(),
  megapixels_out: count(200).optional(),
};
/** Names appear in scripts and attributes, like the product's. */
const label = z
  .string()
  .trim()
  .min(1)
  .max(20, "expected 20 characters or less")
  .refine((text) => !/[<>"\\{}\p{Cc}\p{Co}\u2060\u2028\u2029]/u.test(text), 'expected a name without < > " \\ { }');
const amount = z
  .number("expected a number")
  .min(1, "expected 1 or more")
  .max(1_000_000, "expected at most 1,000,000")
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6, "expected two decimals at most");
const price = z.strictObject(
  Object.fromEntries(currencies.map((currency) => [currency, amount.optional()])) as Record<
    Currency,
    z.ZodOptional<typeof amount>
  >,
);
const paid = {
  ...limitFields,
  name: label.optional(),
  monthly: price.optional(),
  yearly: price.optional(),
  existing_subscribers_from: z.iso.date("expected a day, like 2027-03-01").optional(),
};
const fast = { ...paid, fast_lane_per_day: count(1_000_000).optional() };

/** `plans` of the brand file. */
export const planRules = z.strictObject({
  guest: z.strictObject(limitFields).optional(),
  hobby: z.strictObject({ ...limitFields, name: label.optional() }).optional(),
  mini: z.strictObject(paid).optional(),
  plus: z.strictObject(fast).optional(),
  pro: z.strictObject(fast).optional(),
});
/** `price_notice_days` of the brand file. The terms promise 30 days, and the outbox keeps a mail's state for 90 days (`forgetMails`). */
export const noticeRule = z
  .int("expected a whole number of days")
  .min(30, "expected 30 days or more")
  .max(60, "expected at most 60 days")
  .default(30);
/** `currencies` of the brand file: `other`, and countries. */
export const currencyRules = z
  .record(z.string(), z.enum(currencies, `expected one of ${currencies.join(", ")}`))
  .superRefine((chosen, context) => {
    for (const key of Object.keys(chosen))
      if (key !== "other" && !countryCodes.includes(key))
        context.addIssue({
          code: "custom",
          path: [key],
          message: 'expected "other" or a country of ISO 3166, like IN, DE or GB, before the colon',
        });
  });

const limitNames = {
  credits: "credits",
  files_per_batch: "filesPerBatch",
  megabytes_per_file: "megabytesPerFile",
  megapixels_in: "megapixelsIn",
  megapixels_out: "megapixelsOut",
  fast_lane_per_day: "fastLanePerDay",
} as const satisfies Record<string, keyof Limits>;
type LimitField = keyof typeof limitNames;
const limitFieldNames = Object.keys(limitNames) as LimitField[]; // its keys are the fields

type PlansFile = {
  plans?: z.infer<typeof planRules> | undefined;
  currencies?: z.infer<typeof currencyRules> | undefined;
};

/** The plans of a brand file, with Tintype's as defaults. Undefined if it changes none. `at` rejects a field with a message. */
export function planTableOf(
  { plans, currencies: chosen }: PlansFile,
  at: (field: string, problem: string) => never,
): PlanTable | undefined {
  if (!plans && !chosen) return undefined;
  const table: PlanTable = {
    labels: { ...tintypePlans.labels },
    limits: { ...tintypePlans.limits },
    prices: { ...tintypePlans.prices },
    billedIn: chosen ? billedBy(chosen, at) : tintypePlans.billedIn,
  };
  for (const tier of tierNames) {
    const given: Partial<Record<LimitField, number | undefined>> = plans?.[tier] ?? {};
    table.limits[tier] = { ...table.limits[tier] };
    for (const field of limitFieldNames)
      table.limits[tier][limitNames[field]] = given[field] ?? tintypePlans.limits[tier][limitNames[field]];
  }
  for (const plan of planNames) table.labels[plan] = plans?.[plan]?.name ?? table.labels[plan];
  const sold = new Set([table.billedIn.other, ...Object.values(table.billedIn.countries)]);
  for (const plan of paidPlanNames) table.prices[plan] = pricesOf(plan, { plans, sold, at });
  checkLabels(table, at);
  checkLimits(table, at);
  for (const currency of sold) checkPrices(table, { currency, at });
  return table;
}

type FailAt = (field: string, problem: string) => never;

function billedBy({ other, ...countries }: Record<string, Currency>, at: FailAt): PlanTable["billedIn"] {
  return {
    other: other ?? at("currencies", 'expected "other": what is paid where no country says another'),
    countries,
  };
}

function pricesOf(
  plan: PaidPlanName,
  { plans, sold, at }: { plans: PlansFile["plans"]; sold: ReadonlySet<Currency>; at: FailAt },
): PlanTable["prices"][PaidPlanName] {
  const priced = (cycle: (typeof billingCycles)[number]) => {
    const field = `plans.${plan}.${cycle}`;
    const given = plans?.[plan]?.[cycle] ?? {};
    for (const currency of currencies)
      if (given[currency] !== undefined && !sold.has(currency))
        at(`${field}.${currency}`, "expected a currency that is sold in: name it under currencies");
    return Object.fromEntries(
      [...sold].map((currency) => {
        const own = given[currency];
        const minor = own === undefined ? tintypePlans.prices[plan][cycle][currency] : Math.round(own * 100);
        return [currency, minor ?? at(field, `expected a price in ${currency}, which currencies names`)];
      }),
    );
  };
  return { monthly: priced("monthly"), yearly: priced("yearly") };
}

function checkLabels({ labels }: PlanTable, at: FailAt): void {
  for (const [index, plan] of planNames.entries())
    if (planNames.slice(0, index).some((one) => labels[one].toLowerCase() === labels[plan].toLowerCase()))
      at(`plans.${plan}.name`, `expected a name of its own, received "${labels[plan]}"`);
}

/** A caller at a limit is offered the next plan, which must not be smaller. */
function checkLimits({ limits: own }: PlanTable, at: FailAt): void {
  if (own.guest.credits > guestCreditsPerNetworkDay)
    at(
      "plans.guest.credits",
      `expected at most ${guestCreditsPerNetworkDay}, which the guests of a network share in a day`,
    );
  for (const [index, tier] of tierNames.entries()) {
    const below = tierNames[index - 1];
    if (!below) continue;
    for (const field of limitFieldNames) {
      const [min, has] = [own[below][limitNames[field]], own[tier][limitNames[field]]];
      // For a plan with daily credits, a month has at least 28 times as many.
      const isByDay = field === "credits" && own[below].window === "month" && own[tier].window === "day";
      if ((isByDay ? has * 28 : has) < min)
        at(`plans.${tier}.${field}`, `expected no less than the ${min} of ${below}, received ${has}`);
    }
  }
}

function checkPrices({ prices: own }: PlanTable, { currency, at }: { currency: Currency; at: FailAt }): void {
  const shown = (amountMinor: number) => formatPrice({ amountMinor, currency });
  for (const [index, plan] of paidPlanNames.entries()) {
    const below = paidPlanNames[index - 1];
    for (const cycle of billingCycles) {
      const [has, lower] = [own[plan][cycle][currency] ?? 0, below ? (own[below][cycle][currency] ?? 0) : 0];
      // An upgrade must lead to a more expensive plan.
      if (below && has <= lower)
        at(
          `plans.${plan}.${cycle}.${currency}`,
          `expected more than the ${shown(lower)} of ${below}, received ${shown(has)}`,
        );
    }
    const [month, year] = [own[plan].monthly[currency] ?? 0, own[plan].yearly[currency] ?? 0];
    if (year < month)
      at(
        `plans.${plan}.yearly.${currency}`,
        `expected no less than the ${shown(month)} of a month, received ${shown(year)}`,
      );
  }
}

/** When existing subscribers start to pay the current price. */
export type PriceChanges = {
  /** The first day, at 00:00 UTC. A plan that is not listed keeps its original prices. */
  from: Partial<Record<PaidPlanName, Date>>;
  /** A price increase takes effect at least this long after its mail. */
  noticeDays: number;
};

export const priceChangesOf = (plans: PlansFile["plans"], noticeDays: number): PriceChanges => ({
  from: Object.fromEntries(
    paidPlanNames.flatMap((plan) => {
      const day = plans?.[plan]?.existing_subscribers_from;
      return day === undefined ? [] : [[plan, new Date(`${day}T00:00:00Z`)]];
    }),
  ),
  noticeDays,
});

/** Whether exactly the buyers of a country pay in a currency. */
export const paysByCountry = (
  { billedIn: { other, countries } }: PlanTable,
  { currency, country }: { currency: Currency; country: string },
): boolean =>
  other !== currency &&
  countries[country] === currency &&
  Object.entries(countries).every(([code, one]) => code === country || one !== currency);
