export const subscriptionStatuses = ["active", "cancellation_scheduled", "past_due"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** How a plan can begin: at once, or when the period under way ends. */
export const changeModes = ["at_renewal", "now"] as const;
export type ChangeMode = (typeof changeModes)[number];

export const transactionStatuses = ["captured", "failed", "refunded"] as const;
