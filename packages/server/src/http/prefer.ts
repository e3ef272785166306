/** The longest wait: proxies give up on a silent connection after a minute. Events serve callers who wait longer. */
const longestWaitS = 60;

export type Preference = {
  /** The answer is the job, at once. */
  isAsync: boolean;
  /** The answer is the job after so many ms, where its end did not come before. */
  waitMs: number | undefined;
  /** The answer is a picture also where a message would do. */
  wantsPicture: boolean;
  /** The preferences that are met, for `Preference-Applied`. */
  applied: string | undefined;
};

/** RFC 7240's `respond-async`, `wait` and `return=representation`; unknown preferences are ignored. */
export function readPrefer(header: string | string[] | undefined): Preference {
  const wishes = [header ?? ""].flat().join(",").toLowerCase();
  const isAsync = /(^|[,;\s])respond-async($|[,;\s])/.test(wishes);
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/.exec(wishes)?.[1];
  const wantsPicture = /(^|[,;\s])return\s*=\s*"?representation($|[",;\s])/.test(wishes);
  const waitS = seconds === undefined ? undefined : Math.min(Number(seconds), longestWaitS);
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
