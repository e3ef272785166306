/** Peak signal-to-noise ratio, dB, of values 0..255. */
export function psnr(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2;
  return 10 * Math.log10((255 * 255 * a.length) / sum);
}

/** Mean of a - b, and the share of values more than three levels apart. */
export function differences(a: ArrayLike<number>, b: ArrayLike<number>): { bias: number; visible: number } {
  let [bias, visible] = [0, 0];
  for (let i = 0; i < a.length; i++) {
    const gap = (a[i] ?? 0) - (b[i] ?? 0);
    bias += gap / a.length;
    if (Math.abs(gap) > 3) visible += 1 / a.length;
  }
  return { bias, visible };
}

/** A table for a terminal, and for Markdown. */
export function printTable(title: string, rows: Record<string, string | number>[]): void {
  const heads = Object.keys(rows[0] ?? {});
  console.log(`\n${title}\n\n| ${heads.join(" | ")} |\n|${heads.map(() => "---").join("|")}|`);
  for (const row of rows) console.log(`| ${Object.values(row).join(" | ")} |`);
}
