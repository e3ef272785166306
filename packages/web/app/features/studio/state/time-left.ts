/** Before that the pace says nothing. */
const leastElapsedMs = 4_000;
const leastShare = 0.04;

/** `about 2 minutes left`, by the pace so far; empty while that tells nothing. */
export function timeLeft({ elapsedMs, share }: { elapsedMs: number; share: number }): string {
  if (elapsedMs < leastElapsedMs || share < leastShare || share >= 1) return "";
  const seconds = Math.ceil(((elapsedMs / share) * (1 - share)) / 1000);
  if (seconds < 10) return "a few seconds left";
  if (seconds < 55) return `about ${Math.round(seconds / 10) * 10} seconds left`;
  const minutes = Math.round(seconds / 60);
  return minutes <= 1 ? "about a minute left" : `about ${minutes} minutes left`;
}
