/** `live` does real work and costs credits. `test` is for trying out an integration. */
export const keyModes = ["live", "test"] as const;
export type KeyMode = (typeof keyModes)[number];

/** The most files a day that a key's own limit can be. */
export const maxDailyFiles = 1_000_000;
export const keyNameLength = 80;
/** Maximum hours that a rotated key keeps working alongside its successor. */
export const maxOverlapHours = 72;
