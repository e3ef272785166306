import type { ApiKey, KeyScope } from "@tintype/contract";

/** The permission that a scope gives a key, in words for people. */
export const scopeWords: Record<KeyScope, { label: string; hint: string }> = {
  process: { label: "Work on pictures", hint: "Uses your credits; may cancel its jobs." },
  "jobs:read": { label: "Read jobs", hint: "Progress and results." },
  "usage:read": { label: "Read usage", hint: "Your plan, credits left, their history and usage." },
};

export const lastUsedText = ({ last_used_at }: Pick<ApiKey, "last_used_at">): string =>
  last_used_at === null ? "never used" : `last used ${timeText(last_used_at)}`;

export const endText = ({ expires_at }: Pick<ApiKey, "expires_at">): string =>
  expires_at === null ? "does not expire" : `ends ${timeText(expires_at)}`;

const timeText = (at: string): string =>
  new Intl.DateTimeFormat("en-US", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(new Date(at));
