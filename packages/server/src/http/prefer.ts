/** The longest wait: proxies close a silent connection after a minute. Longer waits use events. */
const maxWaitSeconds = 60;

export type Preference = {
  /** Respond with the job at once. */
  isAsync: boolean;
  /** Respond with the job after this many ms, unless it ends first. */
  waitMs: number | undefined;
  /** Respond with a picture even when a message would do. */
  wantsPicture: boolean;
  /** The preferences that are met, for `Preference-Applied`. */
  applied: string | undefined;
};

/** RFC 7240's `respond-async`, `wait` and `return=representation`; unknown preferences are ignored. */
export function readPrefer(header: string | string[] | undefined): Preference {
  const preferences = [header ?? ""].flat().join(",").toLowerCase();
  const isAsync = /(^|[,;\s])respond-async($|[,;\s])/.test(preferences);
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/.exec(preferences)?.[1];
  const wantsPicture = /(^|[,;\s])return\s*=\s*"?representation($|[",;\s])/.test(preferences);
  const waitS = seconds === undefined ? undefined : Math.min(Number(seconds), maxWaitSeconds);
  const applied = [
    ...(isAsync ? ["respond-async"] : []),
    ...(waitS === undefined ? [] : [`wait=${waitS}`]),
    ...(wantsPicture ? ["return=representation"] : []),
  ];
  return {
    isAsync: isAsync && waitS === undefined,
    waitMs: waitS === undefined ? undefined : waitS * 1000,
    wantsPicture,
    applied: applied.length > 0 ? applied.join(", ") : undefined,
  };
}
