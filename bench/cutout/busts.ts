import sharp from "sharp";

type Bust = { picture: Buffer; truth: Float32Array; size: { width: number; height: number } };

/** Shares of the subject's height that busts show, in turn: of standing figures, and of those that fill their picture. */
const shares = { standing: [0.25, 0.35, 0.5], near: [0.6, 0.75, 0.9] };
const widths = [0.8, 1, 1.3];

/**
 * The upper part of a pair, as a portrait would show it: with a head and shoulders that fill the picture, the large
 * network loses clothes and hair far more often than on a whole figure.
 * @param index of the pair: it chooses the share of the figure, and the width
 */
export async function bustOf(files: { image: string; mask: string; index: number }): Promise<Bust> {
  const { data, info } = await sharp(files.mask).extractChannel(0).raw().toBuffer({ resolveWithObject: true });
  const rows = Array.from({ length: info.height }, (_, y) => data.subarray(y * info.width, (y + 1) * info.width));
  const isFilled = (row: Buffer) => row.some((value) => value > 127);
  const [top, bottom] = [rows.findIndex(isFilled), rows.findLastIndex(isFilled)];
  const tall = bottom - top;
  const share = (tall > 1.8 * widest(rows) ? shares.standing : shares.near)[files.index % 3] ?? 0.5;
  const height = Math.min(info.height, Math.round(1.25 * share * tall));
  const width = Math.min(info.width, Math.round(height * (widths[Math.floor(files.index / 3) % 3] ?? 1)));
  const middle = middleOf(rows.slice(top, top + Math.max(1, Math.round(0.15 * tall))));
  const region = {
    left: Math.max(0, Math.min(info.width - width, Math.round(middle - width / 2))),
    top: Math.max(0, Math.min(info.height - height, top - Math.round(0.2 * share * tall))),
    width,
    height,
  };
  const part = await sharp(data, { raw: info }).extract(region).toColourspace("b-w").raw().toBuffer();
  return {
    picture: await sharp(files.image).extract(region).jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
    truth: Float32Array.from(part, (value) => (value > 127 ? 1 : 0)),
    size: { width, height },
  };
}

/** The most pixels of the subject in a row. */
const widest = (rows: readonly Buffer[]) => Math.max(...rows.map((row) => row.filter((value) => value > 127).length));

/** The mean column of the subject. */
function middleOf(rows: readonly Buffer[]): number {
  let [sum, count] = [0, 0];
  for (const row of rows)
    for (const [x, value] of row.entries())
      if (value > 127) {
        sum += x;
        count += 1;
      }
  return sum / Math.max(1, count);
}
