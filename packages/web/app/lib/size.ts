import { locale } from "@tintype/contract";

const units = ["B", "KB", "MB", "GB"] as const;

/** `formatBytes(1_234_567)` is `1.2 MB`, in decimal units like the plans' limits. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** `234 KB`, `12,400 KB`: rounded up, for a size limit. */
export const formatKilobytes = (bytes: number): string => `${formatNumber(Math.ceil(bytes / 1000))} KB`;

/** The change in bytes: `64% smaller`, `3% larger`, `same size`. */
export function formatChange(beforeBytes: number, afterBytes: number): string {
  const percent = Math.round((afterBytes / Math.max(1, beforeBytes) - 1) * 100);
  if (percent === 0) return "same size";
  return percent < 0 ? `${-percent}% smaller` : `${percent}% larger`;
}

/** `4,032 × 3,024` px. */
export const formatSides = (widthPx: number, heightPx: number): string =>
  `${formatNumber(widthPx)} × ${formatNumber(heightPx)}`;

/** `1,000`: the format of every number on the site. */
export const formatNumber = (value: number): string => value.toLocaleString(locale);

/** `1 picture`, `3 pictures`, `1,000 pictures`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;
