import { looksDrawn } from "../content/flat.ts";
import { pngCandidates } from "../png/candidates.ts";
import { optimisePng, optimisingLevel } from "../png/oxipng.ts";
import { likenessAt } from "../quality/scale.ts";
import type { Encoder } from "./encoder.ts";
import { type Held, holdPixels } from "./held.ts";
import { shallowFor } from "./shallow.ts";

/**
 * PNG. Without `squeeze` nothing is lost, and no time. With it as much is lost as the quality allows (nothing at 100), and
 * oxipng goes over the result: seconds a megapixel.
 */
export const encodePng: Encoder = async (image, { quality, signal, squeeze = false }) => {
  if (!squeeze) {
    const { data, info } = await image.png(quick).toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height, notes: [] };
  }
  const held = await holdPixels(image);
  const { width, height } = held;
  const { shallow, notes } = await shallowFor(held, quality);
  if (!shallow) return { bytes: await smallest(held, [await losslessPng(held)]), width, height, notes };
  const isDrawn = looksDrawn(shallow);
  const candidates = pngCandidates(
    { samples: { ...shallow, data: shallow.samples }, profile: shallow.profile, level: 6 },
    { target: quality === 100 ? undefined : likenessAt(quality), isDrawn },
  );
  signal?.throwIfAborted();
  // Of a photograph the whole is never smaller than a part.
  if (isDrawn || candidates.length === 0) candidates.push(await losslessPng(shallow));
  return { bytes: await smallest(shallow, candidates), width, height, notes };
};

/** Of a photograph 51 ms a megapixel and 3 % more bytes than sharp's own level 6, which takes 113. */
const quick = { adaptiveFiltering: true, compressionLevel: 3 } as const;

const losslessPng = (held: Held): Promise<Buffer> => held.open().png({ adaptiveFiltering: true }).toBuffer();

/** How much oxipng may turn round: it takes 5 to 15 % off either way of writing. */
const closeBy = 1.15;

/** The candidate that ends smallest. Only those go through oxipng that can. */
async function smallest(held: Held, candidates: Uint8Array[]): Promise<Uint8Array> {
  const level = optimisingLevel(held);
  const least = Math.min(...candidates.map(({ length }) => length));
  const close = candidates.filter(({ length }) => length <= least * closeBy);
  const optimised: Uint8Array[] = [];
  for (const candidate of close) optimised.push(level === undefined ? candidate : await optimisePng(candidate, level));
  return optimised.reduce((a, b) => (b.length < a.length ? b : a));
}
