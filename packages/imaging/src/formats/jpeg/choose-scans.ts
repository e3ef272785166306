import type { Scan } from "./scans.ts";

/**
 * Spectral selections (ITU-T T.81, G.1.1.1.1), as the Se of each band, and the Al of the first scan (successive approximation,
 * G.1.1.1.2). Chroma has few coefficients: more trials take time and save next to nothing.
 */
const trials: Record<"luma" | "chroma", { bands: readonly (readonly number[])[]; als: readonly number[] }> = {
  luma: { bands: [[63], [2, 63], [5, 63], [8, 63]], als: [0, 1, 2] },
  chroma: { bands: [[63], [2, 63], [5, 63]], als: [0, 1] },
};

/**
 * The scan script that takes the fewest bytes: the DC scans, then for each component the cheapest of its AC scripts. Scans are not
 * interleaved, so that each component gets Huffman tables of its own.
 */
export function chooseScans(components: number, estimateBytes: (scan: Scan) => number): Scan[] {
  const all = Array.from({ length: components }, (_, component) => component);
  const dcScans = all.map((component) => ({ component, ss: 0, se: 0, ah: 0, al: 0 }));
  return [...dcScans, ...all.flatMap((component) => cheapest(acScriptsFor(component), estimateBytes))];
}

function acScriptsFor(component: number): Scan[][] {
  const { bands, als } = trials[component === 0 ? "luma" : "chroma"];
  return als.flatMap((al) =>
    bands.flatMap((ends) => {
      const ranges = ends.map((se, i) => ({ component, ss: i === 0 ? 1 : (ends[i - 1] ?? 0) + 1, se }));
      const [head, ...rest] = ranges.map((range) => ({ ...range, ah: 0, al }));
      if (!head) return [];
      const refinements = (ss: number) =>
        Array.from({ length: al }, (_, i) => ({ component, ss, se: 63, ah: al - i, al: al - 1 - i }));
      const script = [head, ...rest, ...refinements(1)];
      // The low frequencies at full precision at once, the others bit by bit.
      const lowInFull =
        rest.length > 0 && al > 0 ? [{ ...head, al: 0 }, ...rest, ...refinements(head.se + 1)] : undefined;
      return lowInFull ? [script, lowInFull] : [script];
    }),
  );
}

function cheapest(scripts: readonly Scan[][], estimateBytes: (scan: Scan) => number): Scan[] {
  const [first = [], ...others] = scripts;
  const bytesOf = (script: readonly Scan[]) => script.reduce((sum, scan) => sum + estimateBytes(scan), 0);
  let best = { script: first, bytes: bytesOf(first) };
  for (const script of others) {
    const bytes = bytesOf(script);
    if (bytes < best.bytes) best = { script, bytes };
  }
  return best.script;
}
