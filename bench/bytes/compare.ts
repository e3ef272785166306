import { geometricMean } from "../averages.ts";
import { bytesAtScore, type Point } from "./measure.ts";

/** One picture, and each program's results over its settings. `pixels` counts all frames. */
export type Subject = { name: string; pixels: number; points: Map<string, Point[]> };

/** Bits per pixel at a score (geometric mean over pictures), or undefined if not all of them reach it. */
export function bitsAtScore(subjects: readonly Subject[], label: string, score: number): number | undefined {
  const bits = subjects.map(({ pixels, points }) => {
    const bytes = bytesAtScore(points.get(label) ?? [], score);
    return bytes === undefined ? undefined : (bytes * 8) / pixels;
  });
  return bits.includes(undefined) ? undefined : geometricMean(bits.filter((one) => one !== undefined));
}

/** A program's bytes relative to another's, over the pictures where both reach the score. */
export function ratioAtScore(
  subjects: readonly Subject[],
  { label, against, score }: { label: string; against: string; score: number },
): { ratio: number; count: number } {
  const ratios = subjects.flatMap(({ points }) => {
    const [bytes, other] = [label, against].map((name) => bytesAtScore(points.get(name) ?? [], score));
    return bytes === undefined || other === undefined ? [] : [bytes / other];
  });
  return { ratio: geometricMean(ratios), count: ratios.length };
}

/** A row per program: for the first the bits per pixel, for all others how many more (+) or fewer (-) bytes they take. */
export function compareAtScores(subjects: readonly Subject[], scores: readonly number[]): Record<string, string>[] {
  const [first = "", ...others] = subjects[0]?.points.keys() ?? [];
  const row = (label: string, cell: (score: number) => string) => ({
    program: label,
    ...Object.fromEntries(scores.map((score) => [`at ${score}`, cell(score)])),
  });
  return [
    row(`${first}, bits a pixel`, (score) => bitsAtScore(subjects, first, score)?.toFixed(2) ?? "–"),
    ...others.map((label) =>
      row(label, (score) => {
        const { ratio, count } = ratioAtScore(subjects, { label, against: first, score });
        if (count === 0) return "–";
        return asPercent(ratio) + (count < subjects.length ? ` (${count} of ${subjects.length})` : "");
      }),
    ),
  ];
}

export function asPercent(ratio: number): string {
  const percent = Math.round((ratio - 1) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent)} %`;
}
