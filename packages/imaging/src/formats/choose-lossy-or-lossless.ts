/** A lossy result must save more than this share of the lossless bytes. */
const minShare = 0.05;

/** The smallest lossless result, unless the smallest lossy one saves enough, or there is no lossless one. */
export function chooseLossyOrLossless<Result>(
  { exact, lossy }: { exact: readonly Result[]; lossy: readonly Result[] },
  bytesOf: (result: Result) => number,
): Result {
  const least = (results: readonly Result[]) =>
    results.reduce<Result | undefined>((a, b) => (a !== undefined && bytesOf(a) <= bytesOf(b) ? a : b), undefined);
  const [whole, lost] = [least(exact), least(lossy)];
  const best =
    whole === undefined || (lost !== undefined && bytesOf(lost) < bytesOf(whole) * (1 - minShare)) ? lost : whole;
  if (best === undefined) throw new RangeError("Nothing to choose from");
  return best;
}
