import type { ApiKey, HeldScope } from "@tintype/contract";

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

export const lastUsedText = ({ last_used_at }: Pick<ApiKey, "last_used_at">): string =>
  last_used_at === null ? "never used" : `last used ${timeText(last_used_at)}`;

export const endText = ({ expires_at }: Pick<ApiKey, "expires_at">): string =>
  expires_at === null ? "does not expire" : `expires ${timeText(expires_at)}`;

const timeText = (at: string): string =>
  new Intl.DateTimeFormat("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));
