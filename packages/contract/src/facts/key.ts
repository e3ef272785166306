/** `live` works and costs credits, `test` is for trying an integration out. */
export const keyModes = ["live", "test"] as const;
export type KeyMode = (typeof keyModes)[number];

export const keyNameLength = 80;
/** Hours for which a rotated key may work beside its successor. */
export const longestOverlapHours = 72;
