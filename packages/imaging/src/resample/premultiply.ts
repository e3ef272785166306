/** Colours times alpha, in place: the colour of invisible pixels then does not count. */
export function premultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * alpha;
  }
}

/**
 * The inverse of `premultiply`. It cuts off alpha's overshoot only after the division: beside an edge colours overshoot
 * by the same share, and the quotient is free of it. The row's writer cuts the overshoot of the colours.
 */
export function unpremultiply(row: Float32Array, { channels, full }: { channels: number; full: number }): void {
  const seen = full === 1 ? 1e-5 : 0.5 / full;
  for (let pixel = 0; pixel < row.length; pixel += channels) {
    const alpha = (row[pixel + channels - 1] as number) / full;
    const share = alpha >= seen ? 1 / alpha : 0;
    for (let i = pixel; i < pixel + channels - 1; i++) row[i] = (row[i] as number) * share;
    row[pixel + channels - 1] = Math.min(Math.max(alpha, 0), 1) * full;
  }
}
