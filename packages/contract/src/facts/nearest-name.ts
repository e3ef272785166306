import { distance } from "fastest-levenshtein";

/** Letters that may differ between a misspelt name and the one that was meant. */
const mostDifferent = 3;

/** The known name that a misspelt one most likely means, if any is near. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.min(mostDifferent, one.length / 2))
    .toSorted((a, b) => a.far - b.far);
  return nearest?.one;
}

/** Tells that there is no such name: `There is no field "qualty". Did you mean "quality"?` */
export function unknownName(name: string, known: readonly string[], kind: string): string {
  const meant = nearestName(name, known);
  const help = meant ? `Did you mean "${meant}"?` : known.length > 0 ? `There is: ${known.join(", ")}.` : "";
  return `There is no ${kind} "${name}". ${help}`.trim();
}
