export * from "./tables/accounts.ts";
export * from "./tables/billing.ts";
export * from "./tables/credits.ts";
export * from "./tables/identity.ts";
export * from "./tables/jobs.ts";
export * from "./tables/webhooks.ts";
