export const metadataChoices = ["none", "copyright", "all-but-place"] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

/** The field of operations whose result may keep its source's metadata. */
export const metadataField = {
  metadata: {
    kind: "choice",
    label: "Metadata",
    labels: { none: "Remove all", copyright: "Keep copyright", "all-but-place": "Keep all but location" },
    values: metadataChoices,
    default: "copyright",
    say: `Please choose what to keep of the metadata: ${metadataChoices.join(", ")}.`,
  },
} as const;
