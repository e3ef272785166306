import type { MetadataChoice } from "@tintype/contract";

/** What the report calls the parts of metadata, in the order in which it names them. */
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

/** What `copyright` keeps, and what `all-but-place` keeps besides. Nothing keeps the others. */
export const keptBy = {
  none: [],
  copyright: ["copyright", "creator", "licence", "credit line", "date"],
  "all-but-place": ["copyright", "creator", "licence", "credit line", "date", "camera", "camera settings"],
} as const satisfies Record<MetadataChoice, readonly Group[]>;
