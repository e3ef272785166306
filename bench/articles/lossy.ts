import { encodings } from "../../packages/imaging/src/quality/encodings.ts";
import { geometricMean, mean } from "../averages.ts";
import { bytesAtScore, type Candidate, measure, type Point } from "../bytes/measure.ts";
import { asSharp, type BenchPicture } from "../bytes/pictures.ts";

const settings = [30, 40, 50, 60, 70, 75, 80, 85, 90, 93, 95, 97];
/** SSIMULACRA 2: typical for the web, acceptable to most people, and hard to tell apart at first sight. */
const scores = [50, 70, 85] as const;
const formats = { jpeg: "jpeg-420", webp: "webp-sharp", avif: "avif-420" } as const satisfies Record<
  string,
  keyof typeof encodings
>;

/** The library that most programs write JPEG with, at its defaults. */
const plain: Candidate = {
  name: "libjpeg-420",
  version: "1",
  encode: (picture, quality) =>
    asSharp(picture).jpeg({ quality, mozjpeg: false, chromaSubsampling: "4:2:0" }).toBuffer(),
};
const candidate = (way: keyof typeof encodings): Candidate => ({
  name: way,
  version: "1",
  encode: (picture, setting) => encodings[way](asSharp(picture), setting).toBuffer(),
});

/** Bytes at equal likeness, in percent of a plain JPEG; and what the same quality number means in each format. */
export async function measureLossy(photos: readonly BenchPicture[]): Promise<Record<string, string>> {
  const figures: Record<string, string> = {};
  const base = await curves(photos, plain);
  for (const [format, way] of Object.entries(formats)) {
    const own = await curves(photos, candidate(way));
    for (const score of scores) {
      const ratios = own.flatMap((points, index) => {
        const [a, b] = [bytesAtScore(points, score), bytesAtScore(base[index] ?? [], score)];
        return a && b ? [a / b] : [];
      });
      figures[`${format}.percentAt.${score}`] = `${Math.round(geometricMean(ratios) * 100)}`;
      figures[`${format}.countAt.${score}`] = String(ratios.length);
    }
    figures[`${format}.scoreOf.75`] = mean(own.map((points) => scoreAt(points, 75))).toFixed(0);
  }
  for (const quality of [50, 75, 90, 95])
    Object.assign(figures, {
      [`plain.scoreOf.${quality}`]: mean(base.map((points) => scoreAt(points, quality))).toFixed(0),
      [`plain.bitsOf.${quality}`]: geometricMean(
        base.map((points, index) => (pointAt(points, quality).bytes * 8) / pixelsOf(photos[index])),
      ).toFixed(1),
    });
  return figures;
}

async function curves(photos: readonly BenchPicture[], way: Candidate): Promise<Point[][]> {
  const all: Point[][] = [];
  for (const photo of photos) {
    const points: Point[] = [];
    for (const setting of settings) points.push(await measure(photo, way, setting));
    all.push(points);
  }
  return all;
}

function pointAt(points: readonly Point[], parameter: number): Point {
  const found = points.find((point) => point.parameter === parameter);
  if (!found) throw new Error(`${parameter} was not measured`);
  return found;
}
const scoreAt = (points: readonly Point[], parameter: number) => pointAt(points, parameter).score;
const pixelsOf = (picture: BenchPicture | undefined) => (picture ? picture.raw.width * picture.raw.height : 1);
