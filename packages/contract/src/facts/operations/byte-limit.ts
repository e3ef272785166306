/** Fields of operations that can be asked for a result of at most so many bytes. */
export const byteLimitFields = {
  max_bytes: {
    kind: "integer",
    min: 100,
    max: 200_000_000,
    optional: true,
    say: "Please give max_bytes as 100 to 200000000.",
    describe: "The most bytes that the result may have; it gets the best quality that fits.",
  },
  min_quality: {
    kind: "integer",
    min: 1,
    max: 100,
    default: 40,
    say: "Please give min_quality as 1 to 100.",
    describe: "With max_bytes: the lowest quality that may be taken.",
  },
  allow_resize: {
    kind: "flag",
    default: false,
    describe: "With max_bytes: where not even min_quality fits, the picture may lose pixels.",
  },
} as const;
