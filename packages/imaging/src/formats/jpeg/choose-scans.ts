import type { Scan } from "./scans.ts";

/**
 * All of a component's coefficients at once, or in two ranges; and from which bit on in the first scan, the others one by one.
 * Colours have few coefficients: more trials take time and find next to nothing.
 */
const trials: Record<"luma" | "colour", { ranges: readonly (readonly number[])[]; lowest: readonly number[] }> = {
  luma: { ranges: [[63], [2, 63], [5, 63], [8, 63]], lowest: [0, 1, 2] },
  colour: { ranges: [[63], [2, 63], [5, 63]], lowest: [0, 1] },
};

/**
 * The scans that take the fewest bytes: means first, then each component by itself in the way that suits it. Components are
 * never mixed in a scan, since each has a code of its own.
 */
export function chooseScans(components: number, estimateBytes: (scan: Scan) => number): Scan[] {
  const all = Array.from({ length: components }, (_, component) => component);
  const means = all.map((component) => ({ component, first: 0, final: 0, low: 0, isNext: false }));
  return [...means, ...all.flatMap((component) => cheapest(waysFor(component), estimateBytes))];
}

function waysFor(component: number): Scan[][] {
  const { ranges, lowest } = trials[component === 0 ? "luma" : "colour"];
  return lowest.flatMap((low) =>
    ranges.flatMap((finals) => {
      const firsts = finals.map((final, i) => ({ component, first: i === 0 ? 1 : (finals[i - 1] ?? 0) + 1, final }));
      const [head, ...rest] = firsts.map((range) => ({ ...range, low, isNext: false }));
      if (!head) return [];
      const next = (first: number) =>
        Array.from({ length: low }, (_, i) => ({ component, first, final: 63, low: low - 1 - i, isNext: true }));
      const whole = [head, ...rest, ...next(1)];
      // The lowest coefficients in full at once, the others bit by bit.
      const lowInFull =
        rest.length > 0 && low > 0 ? [{ ...head, low: 0 }, ...rest, ...next(head.final + 1)] : undefined;
      return lowInFull ? [whole, lowInFull] : [whole];
    }),
  );
}

function cheapest(ways: readonly Scan[][], estimateBytes: (scan: Scan) => number): Scan[] {
  const [first = [], ...others] = ways;
  const bytesOf = (way: readonly Scan[]) => way.reduce((sum, scan) => sum + estimateBytes(scan), 0);
  let best = { way: first, bytes: bytesOf(first) };
  for (const way of others) {
    const bytes = bytesOf(way);
    if (bytes < best.bytes) best = { way, bytes };
  }
  return best.way;
}
