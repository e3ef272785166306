export type PlotLine = { label: string; points: readonly (readonly [bits: number, score: number])[] };
export type PlotPanel = { title: string; lines: readonly PlotLine[] };

/** Distinguishable with colour blindness (Okabe and Ito, 2008); the first line is ours. */
const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00"];
const panel = { width: 430, height: 330, left: 46, right: 12, top: 40, bottom: 44 } as const;
const scores = { low: 45, high: 95 } as const;

/** Bits per pixel (logarithmic) against likeness, one panel per format, as SVG. Further left and higher up is better. */
export function plotPanels(panels: readonly PlotPanel[]): string {
  const columns = 2;
  const rows = Math.ceil(panels.length / columns);
  const [width, height] = [columns * panel.width, rows * panel.height];
  const drawn = panels.map((one, i) => {
    const [x, y] = [(i % columns) * panel.width, Math.floor(i / columns) * panel.height];
    return `<g transform="translate(${x} ${y})">${drawPanel(one)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
${drawn.join("\n")}
</svg>
`;
}

function drawPanel({ title, lines }: PlotPanel): string {
  const bits = lines.flatMap(({ points }) => points.map(([at]) => at));
  const [least, most] = [Math.min(...bits) * 0.92, Math.max(...bits) * 1.08];
  const inner = { width: panel.width - panel.left - panel.right, height: panel.height - panel.top - panel.bottom };
  const x = (at: number) => panel.left + (Math.log(at / least) / Math.log(most / least)) * inner.width;
  const y = (score: number) => panel.top + ((scores.high - score) / (scores.high - scores.low)) * inner.height;
  const bottom = panel.top + inner.height;
  const grid = [50, 60, 70, 80, 90].map(
    (score) =>
      `<path d="M${panel.left} ${round(y(score))}h${inner.width}" stroke="#ddd"/><text x="${panel.left - 6}" y="${round(y(score) + 4)}" text-anchor="end" fill="#555">${score}</text>`,
  );
  const ticks = bitTicks(least, most).map(
    (at) =>
      `<path d="M${round(x(at))} ${panel.top}V${bottom}" stroke="#eee"/><text x="${round(x(at))}" y="${bottom + 16}" text-anchor="middle" fill="#555">${at}</text>`,
  );
  const drawn = lines.map(({ points }, i) => {
    const path = points.map(([at, score]) => `${round(x(at))} ${round(y(score))}`).join("L");
    return `<path d="M${path}" fill="none" stroke="${colours[i]}" stroke-width="${i === 0 ? 2.5 : 1.5}"/>`;
  });
  // From the lower right corner up, where rising curves leave room.
  const legend = lines.map(({ label }, i) => {
    const at = bottom - 12 - (lines.length - 1 - i) * 17;
    const right = panel.left + inner.width - 10;
    return `<text x="${right - 30}" y="${at + 4}" text-anchor="end" fill="#222" paint-order="stroke" stroke="#fff" stroke-width="4"${i === 0 ? ' font-weight="600"' : ""}>${label}</text><path d="M${right - 22} ${at}h22" stroke="${colours[i]}" stroke-width="${i === 0 ? 2.5 : 1.5}"/>`;
  });
  return [
    `<text x="${panel.left}" y="22" font-size="15" font-weight="600" fill="#222">${title}</text>`,
    ...grid,
    ...ticks,
    ...drawn.reverse(),
    ...legend,
    `<text x="${panel.left + inner.width}" y="${panel.height - 10}" text-anchor="end" fill="#555">bits a pixel</text>`,
    `<text x="${panel.left + inner.width}" y="22" text-anchor="end" fill="#555">SSIMULACRA 2</text>`,
  ].join("");
}

const round = (value: number) => Math.round(value * 10) / 10;

function bitTicks(least: number, most: number): number[] {
  const all = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24];
  return all.filter((at) => at >= least && at <= most);
}
