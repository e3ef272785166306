/**
 * Half of a symmetric blur kernel: the weight of the centre, then of each pair of neighbours.
 *
 * It is the finite impulse response of the recursive Gaussian that SSIMULACRA 2 was tuned with: a sum of three cosines
 * of orders 1, 3 and 5 (Charalampidis, "Recursive Implementation of the Gaussian Filter Using Truncated Cosine
 * Functions", IEEE Transactions on Signal Processing 2016, equations 33 to 57). A plain Gaussian differs by up to two
 * points of the score. For sigma 1.5 it has five weights.
 */
export function gaussianHalfKernel(sigma: number): number[] {
  const radius = Math.round(3.2795 * sigma + 0.2546); // (57)
  const omega = [1, 3, 5].map((order) => (order * Math.PI) / (2 * radius)) as [number, number, number];
  const [p1, p3, p5] = omega.map((w, i) => (i === 1 ? -1 : 1) / Math.tan(w / 2)) as [number, number, number]; // (37)
  const [r1, r3, r5] = [p1, p3, p5].map((p, i) => ((i === 1 ? -1 : 1) * p * p) / Math.sin(omega[i] as number)) as [
    number,
    number,
    number,
  ]; // (44)
  const [rho1, rho3, rho5] = omega.map((w) => Math.exp(-0.5 * sigma * sigma * w * w) / radius) as [
    number,
    number,
    number,
  ]; // (50)
  // (52)
  const [zeta15, zeta35] = [(p3 * r5 - r3 * p5) / (p1 * r3 - r1 * p3), (p5 * r1 - r5 * p1) / (p1 * r3 - r1 * p3)];
  const beta = solve3(
    [
      [p1, p3, p5],
      [r1, r3, r5],
      [zeta15, zeta35, 1],
    ],
    [1, radius * radius - sigma * sigma, zeta15 * rho1 + zeta35 * rho3 + rho5],
  ); // (53), (55), (56)
  return Array.from({ length: radius }, (_, n) =>
    beta.reduce((sum, weight, k) => sum + weight * Math.cos((omega[k] as number) * n), 0),
  );
}

type Row = [number, number, number];

/** Cramer's rule; the system is well conditioned for every sigma above 0.5. */
function solve3([a, b, c]: [Row, Row, Row], right: Row): Row {
  const determinant = (m: [Row, Row, Row]) =>
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  const whole = determinant([a, b, c]);
  return [0, 1, 2].map((column) => {
    const swapped = [a, b, c].map((row, i) => row.map((value, j) => (j === column ? right[i] : value))) as [
      Row,
      Row,
      Row,
    ];
    return determinant(swapped) / whole;
  }) as Row;
}
