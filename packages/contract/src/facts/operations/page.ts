/** Higher than the page count of any real document. */
const mostPages = 100_000;

/** The field of operations that read a picture: the page of a document to read. */
export const pageField = {
  page: {
    kind: "integer",
    label: "Page",
    min: 1,
    max: mostPages,
    optional: true,
    say: "The page must be 1 or higher.",
  },
} as const;
