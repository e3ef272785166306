/** The longest wait: proxies close a silent connection after a minute. Longer waits use events. */
const maxWaitSeconds = 60;

export type Preference = {
  /** Respond with the job at once. */
  isAsync: boolean;
  /** Respond with the job after this many ms, unless it ends first. */
  waitMs: number | undefined;
  /** Respond with a picture even when a message would do. */
  wantsPicture: boolean;
  /** The work ends with the connection, even where a repeat under its Idempotency-Key could still have the result. */
  cancelsOnDisconnect: boolean;
  /** The preferences that are met, for `Preference-Applied`. */
  applied: string | undefined;
};

/** RFC 7240's `respond-async`, `wait` and `return=representation`, and our `cancel-on-disconnect`; unknown preferences are ignored. */
export function readPrefer(header: string | string[] | undefined): Preference {
  const preferences = [header ?? ""].flat().join(",").toLowerCase();
  const isAsked = /(^|[,;\s])respond-async($|[,;\s])/.test(preferences);
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/.exec(preferences)?.[1];
  const wantsPicture = /(^|[,;\s])return\s*=\s*"?representation($|[",;\s])/.test(preferences);
  const waitS = seconds === undefined ? undefined : Math.min(Number(seconds), maxWaitSeconds);
  const isAsync = isAsked && waitS === undefined;
  const cancelsOnDisconnect = !isAsync && /(^|[,;\s])cancel-on-disconnect($|[,;\s])/.test(preferences);
  const applied = [
    ...(isAsked ? ["respond-async"] : []),
    ...(waitS === undefined ? [] : [`wait=${waitS}`]),
    ...(wantsPicture ? ["return=representation"] : []),
    ...(cancelsOnDisconnect ? ["cancel-on-disconnect"] : []),
  ];
  return {
    isAsync,
    waitMs: waitS === undefined ? undefined : waitS * 1000,
    wantsPicture,
    cancelsOnDisconnect,
    applied: applied.length > 0 ? applied.join(", ") : undefined,
  };
}
