/** A heading as an anchor: `Data Retention` is `data-retention`. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/&/g, "and")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
