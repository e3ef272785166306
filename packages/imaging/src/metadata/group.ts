import type { MetadataChoice, MetadataGroup } from "@tintype/contract";

/** The groups that each choice keeps. No choice keeps the others. */
export const keptBy = {
  none: [],
  copyright: ["copyright", "creator", "licence", "credit-line", "date"],
  "all-but-place": ["copyright", "creator", "licence", "credit-line", "date", "camera", "camera-settings"],
} as const satisfies Record<MetadataChoice, readonly MetadataGroup[]>;
