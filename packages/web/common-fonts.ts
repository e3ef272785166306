// npm run fonts -w @tintype/web: writes the characters that nearly every page uses, in the weights that we use, to
// app/styles/common-fonts. They take half the bytes of the Latin files, which are fetched for other characters only.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

type Range = readonly [first: number, last: number];

const hyphen = [[0x2d, 0x2d]] as const;
/** Printable ASCII without the hyphen, and the symbols our texts use: © « ° · » × é ë – — ‘ ’ “ ” … € ← ↑ → ↓ and the minus. */
const common: readonly Range[] = [
  [0x20, 0x2c],
  [0x2e, 0x7e],
  ...[0xa0, 0xa9, 0xab, 0xb0, 0xb7, 0xbb, 0xd7, 0xe9, 0xeb, 0x20ac, 0x2212].map((one) => [one, one] as const),
  [0x2013, 0x2014],
  [0x2018, 0x2019],
  [0x201c, 0x201d],
  [0x2026, 0x2026],
  [0x2190, 0x2193],
];
const wght = { min: 400, max: 600 };
/** The optical size follows the font size, and no heading is larger than 60 px. */
const fraunces = {
  family: "Fraunces Variable",
  source: "fraunces/files/fraunces-latin-opsz-normal.woff2",
  axes: { wght, opsz: { min: 14, max: 72 } },
};
const inter = { family: "Inter Variable", source: "inter/files/inter-latin-wght-normal.woff2", axes: { wght } };
const fonts = [
  { ...fraunces, name: "fraunces", ranges: [...common, ...hyphen], noLayoutClosure: false },
  { ...inter, name: "inter", ranges: common, noLayoutClosure: false },
  // With tabular figures, Inter sets a hyphen as wide as a digit, which tears words apart. Subset alone, the hyphen has no such variant.
  { ...inter, name: "inter-hyphen", ranges: hyphen, noLayoutClosure: true },
];

const textOf = (ranges: readonly Range[]) =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    .join("");
const asHex = (point: number) => point.toString(16).toUpperCase().padStart(4, "0");
const inCss = (ranges: readonly Range[]) =>
  ranges.map(([first, last]) => `U+${asHex(first)}${last > first ? `-${asHex(last)}` : ""}`).join(", ");

const folder = join(import.meta.dirname, "app/styles/common-fonts");
await mkdir(folder, { recursive: true });
const faces: string[] = [];
for (const { family, name, source, axes, ranges, noLayoutClosure } of fonts) {
  const whole = await readFile(fileURLToPath(import.meta.resolve(`@fontsource-variable/${source}`)));
  const options = { targetFormat: "woff2", variationAxes: axes, noLayoutClosure } as const;
  await writeFile(join(folder, `${name}.woff2`), await subsetFont(whole, textOf(ranges), options));
  faces.push(`@font-face {
  font-family: "${family}";
  font-weight: 100 900;
  font-display: swap;
  src: url("./${name}.woff2") format("woff2-variations");
  unicode-range: ${inCss(ranges)};
}
`);
}
await writeFile(join(folder, "faces.css"), faces.join(""));
