import { distance } from "fastest-levenshtein";

/** Maximum edit distance between a misspelt name and the intended one. */
const defaultMaxEdits = 3;

/** The known name that is most likely meant, or undefined if none is within `maxEdits` edits. */
export function nearestName(name: string, known: readonly string[], maxEdits = defaultMaxEdits): string | undefined {
  const [nearest] = known
    .map((one) => ({ one, far: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.min(maxEdits, one.length / 2))
    .toSorted((a, b) => a.far - b.far);
  return nearest?.one;
}

/** The message for an unknown name: `There is no field "qualty". Did you mean "quality"?` */
export function unknownName(name: string, known: readonly string[], kind: string): string {
  const meant = nearestName(name, known);
  const help = meant ? `Did you mean "${meant}"?` : known.length > 0 ? `Use one of: ${known.join(", ")}.` : "";
  return `There is no ${kind} "${name}". ${help}`.trim();
}
