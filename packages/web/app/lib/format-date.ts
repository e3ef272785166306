/** `2025-05-21` is `May 21, 2025` in every time zone. */
export const formatDate = (isoDate: string): string =>
  new Date(`${isoDate}T00:00:00Z`).toLocaleDateString("en-US", {
    year: "numeric",
    month: "long",
    day: "numeric",
    timeZone: "UTC",
  });

/** `Nov 22, 2026, 1:00 AM`, in local time. */
export const formatMoment = (at: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at));
