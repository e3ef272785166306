/** Fields of operations that can limit the size of the result in bytes. */
export const byteLimitFields = {
  max_bytes: {
    kind: "integer",
    min: 100,
    max: 200_000_000,
    optional: true,
    say: "max_bytes must be between 100 and 200000000.",
  },
  min_quality: {
    kind: "integer",
    min: 1,
    max: 100,
    default: 40,
    say: "min_quality must be between 1 and 100.",
  },
  allow_resize: {
    kind: "flag",
    default: false,
  },
} as const;
