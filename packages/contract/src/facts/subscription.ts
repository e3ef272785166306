export const subscriptionStatuses = ["active", "cancellation_scheduled", "past_due"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** When a new plan starts: at once, or at the end of the current period. */
export const changeModes = ["at_renewal", "now"] as const;
export type ChangeMode = (typeof changeModes)[number];

export const transactionStatuses = ["captured", "failed", "refunded"] as const;
