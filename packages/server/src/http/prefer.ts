/** A caller who waits for longer is better served by events; proxies give up on a silent connection after a minute. */
const longestWaitS = 60;

export type Preference = {
  /** The answer is the job, at once. */
  isAsync: boolean;
  /** The answer is the job after so many ms, where its end did not come before. */
  waitMs: number | undefined;
  /** The part of the wish that is met, for `Preference-Applied`. */
  applied: string | undefined;
};

/** RFC 7240's `respond-async` and `wait`; what is not understood is no reason to refuse a call. */
export function readPrefer(header: string | string[] | undefined): Preference {
  const wishes = [header ?? ""].flat().join(",").toLowerCase();
  const isAsync = /(^|[,;\s])respond-async($|[,;\s])/.test(wishes);
  const seconds = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?(?:$|[,;\s])/.exec(wishes)?.[1];
  if (seconds === undefined) return { isAsync, waitMs: undefined, applied: isAsync ? "respond-async" : undefined };
  const waitS = Math.min(Number(seconds), longestWaitS);
  return { isAsync: false, waitMs: waitS * 1000, applied: `${isAsync ? "respond-async, " : ""}wait=${waitS}` };
}
