import { bytesAtScore, type Point } from "./measure.ts";

/** One picture, and what each program made of it at its settings. `pixels` of all frames. */
export type Subject = { name: string; pixels: number; points: Map<string, Point[]> };

/** At one score: bits a pixel (geometric mean over pictures), or undefined where not all of them come so far. */
export function bitsAtScore(subjects: readonly Subject[], label: string, score: number): number | undefined {
  const bits = subjects.map(({ pixels, points }) => {
    const bytes = bytesAtScore(points.get(label) ?? [], score);
    return bytes === undefined ? undefined : (bytes * 8) / pixels;
  });
  return bits.includes(undefined) ? undefined : geometricMean(bits.filter((one) => one !== undefined));
}

/** How many bytes a program takes where another takes 1, over the pictures that both of them bring so far. */
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

export const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** A row a program: of the first the bits a pixel, of all others how many bytes more (+) or fewer (-) than it. */
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
