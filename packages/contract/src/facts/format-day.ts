import { locale } from "./locale.ts";

/** `formatDay("2026-03-10T12:00:00Z")` is `March 10, 2026`: the UTC day, as pages and mails show it. */
export const formatDay = (at: Date | string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(new Date(at));
