/** A loss has to save so much of the bytes that the picture takes without one. */
const leastShare = 0.05;

/** The fewest bytes without loss, unless a loss saves enough; the fewest with loss where there are none without. */
export function worthLosing<Result>(
  { exact, lossy }: { exact: readonly Result[]; lossy: readonly Result[] },
  bytesOf: (result: Result) => number,
): Result {
  const least = (results: readonly Result[]) =>
    results.reduce<Result | undefined>((a, b) => (a !== undefined && bytesOf(a) <= bytesOf(b) ? a : b), undefined);
  const [whole, lost] = [least(exact), least(lossy)];
  const best =
    whole === undefined || (lost !== undefined && bytesOf(lost) < bytesOf(whole) * (1 - leastShare)) ? lost : whole;
  if (best === undefined) throw new RangeError("Nothing to choose from");
  return best;
}
