/** Returns the index of the nearest place by the sum of squared differences. */
export type NearestPlace = (light: number, blue: number, red: number, alpha: number) => number;

/**
 * Places are sorted by luma. The search starts at the wanted luma, and ends once the luma difference alone exceeds the
 * best distance. It visits about a tenth of 256 places.
 */
export function nearestPlace(places: Float32Array): NearestPlace {
  const count = places.length / 4;
  const order = Uint16Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => (places[a * 4] as number) - (places[b * 4] as number),
  );
  const sorted = Float32Array.from(order).fill(0);
  const table = new Float32Array(count * 4);
  for (let i = 0; i < count; i++) {
    const from = (order[i] as number) * 4;
    sorted[i] = places[from] as number;
    table.set(places.subarray(from, from + 4), i * 4);
  }
  return (light, blue, red, alpha) => {
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] as number) < light) low = middle + 1;
      else high = middle;
    }
    let best = 0;
    let bestDistance = Number.POSITIVE_INFINITY;
    let up = low;
    let down = low - 1;
    for (;;) {
      const above = up < count ? ((sorted[up] as number) - light) ** 2 : Number.POSITIVE_INFINITY;
      const below = down >= 0 ? ((sorted[down] as number) - light) ** 2 : Number.POSITIVE_INFINITY;
      if (Math.min(above, below) >= bestDistance) return order[best] as number;
      const at = above < below ? up++ : down--;
      const from = at * 4;
      const b = (table[from + 1] as number) - blue;
      const r = (table[from + 2] as number) - red;
      const a = (table[from + 3] as number) - alpha;
      const distance = Math.min(above, below) + b * b + r * r + a * a;
      if (distance < bestDistance) {
        bestDistance = distance;
        best = at;
      }
    }
  };
}
