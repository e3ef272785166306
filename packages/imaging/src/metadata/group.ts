import type { MetadataChoice } from "@tintype/contract";

/** The groups of metadata in the report, in the order in which it lists them. */
export const groups = [
  "copyright",
  "creator",
  "licence",
  "credit line",
  "date",
  "camera",
  "camera settings",
  "location",
  "serial numbers",
  "owner’s name",
  "description",
  "thumbnail",
  "maker notes",
  "other details",
] as const;
export type Group = (typeof groups)[number];

/** The groups that each choice keeps. No choice keeps the others. */
export const keptBy = {
  none: [],
  copyright: ["copyright", "creator", "licence", "credit line", "date"],
  "all-but-place": ["copyright", "creator", "licence", "credit line", "date", "camera", "camera settings"],
} as const satisfies Record<MetadataChoice, readonly Group[]>;
