import { readGif } from "../../packages/codecs/src/gif/document.ts";
import { playGif } from "../../packages/codecs/src/gif/play.ts";
import type { Raster } from "../../packages/codecs/src/raster/raster.ts";
import { likenessTo } from "../../packages/codecs/src/score/ssimulacra2.ts";

/** Sampled moments of an animation: the metric takes a third of a second per megapixel. */
const moments = 12;

export type Judge = (bytes: Uint8Array) => { mean: number; least: number };

/** Scores a GIF by what it shows at the same moments as the original: programs merge similar frames. */
export function judgeAgainst(original: Uint8Array): Judge {
  const total = readGif(original).frames.reduce((sum, { delayCs }) => sum + shownCs(delayCs), 0);
  // In the middle of equal parts, so that no moment falls on a frame change.
  const times = Array.from({ length: moments }, (_, at) => ((at + 0.5) / moments) * total);
  const references = shownAt(original, times).map(likenessTo);
  return (bytes) => {
    const scores = shownAt(bytes, times).map((picture, at) => references[at]?.(picture) ?? Number.NaN);
    return { mean: scores.reduce((sum, score) => sum + score, 0) / scores.length, least: Math.min(...scores) };
  };
}

/** Browsers replace delays below two hundredths of a second by ten. */
const shownCs = (delayCs: number) => (delayCs < 2 ? 10 : delayCs);

function shownAt(bytes: Uint8Array, times: number[]): Raster<Uint8Array>[] {
  const gif = readGif(bytes);
  const pictures: Raster<Uint8Array>[] = [];
  let endCs = 0;
  for (const { pixels, delayCs } of playGif(gif)) {
    endCs += shownCs(delayCs);
    const data = new Uint8Array(pixels.slice().buffer);
    const picture: Raster<Uint8Array> = { width: gif.width, height: gif.height, channels: 4, data };
    while (pictures.length < times.length && (times[pictures.length] as number) < endCs) pictures.push(picture);
  }
  return pictures;
}
