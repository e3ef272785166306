// The whole data model, by domain; migrations are made from it. After a change: npm run migrations -w @tintype/server.
// A holder is the one that credits are counted for: person:{account id}, guest:{cookie id} or network:{keyed hash}.
export * from "./tables/accounts.ts";
export * from "./tables/billing.ts";
export * from "./tables/credits.ts";
export * from "./tables/identity.ts";
export * from "./tables/jobs.ts";
export * from "./tables/webhooks.ts";
