import { locale } from "@tintype/contract";

// Moments in local time. `formatDay` of the contract writes days, which are those of UTC.

/** `Nov 22, 2026, 1:00 AM` */
export const formatMoment = (at: string | number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));

/** `November 22 at 1:00 AM`: a moment of the coming weeks. */
export const formatComingMoment = (at: string): string =>
  new Intl.DateTimeFormat(locale, { month: "long", day: "numeric", hour: "numeric", minute: "2-digit" }).format(
    new Date(at),
  );
