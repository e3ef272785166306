import type { HeldScope } from "@tintype/contract";

/** The permission that a scope grants, in plain words. */
export const scopeWords: Record<HeldScope, { label: string; hint: string }> = {
  process: { label: "Process images", hint: "Uses your credits and can cancel its jobs." },
  "jobs:read": { label: "Read jobs", hint: "Progress and results." },
  "usage:read": { label: "Read usage", hint: "Your plan, credits left, credit history and usage." },
  "recipes:write": { label: "Change recipes", hint: "Saves, changes and deletes your recipes." },
  "webhooks:read": { label: "Read webhooks", hint: "Their addresses and deliveries." },
  "webhooks:write": { label: "Change webhooks", hint: "Creates and removes webhooks, and sees their secrets." },
  "keys:read": { label: "List keys", hint: "Names and last four characters." },
  admin: { label: "Operator’s desk", hint: "What your role allows." },
  "keys:revoke": { label: "Revoke keys", hint: "Revokes any of your keys. No key can create one." },
};
