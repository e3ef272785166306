import type { Metadata, Sharp } from "sharp";
import { looksDrawn } from "../../quality/looks-drawn.ts";
import { targetScore } from "../../quality/scale.ts";
import { type DecodedPicture, decodePicture } from "../../raster/decoded-picture.ts";
import { rowsOf } from "../../raster/rows.ts";
import type { Encoded, Encoder } from "../encoder.ts";
import { reduceDepth } from "../reduce-depth.ts";
import { pngCandidates } from "./candidates.ts";
import { optimisePng, optimisingLevel } from "./oxipng.ts";
import { packRows } from "./pack-rows.ts";

/**
 * PNG. Without `minimizeBytes` nothing is lost, and no time. With it as much is lost as the quality allows (nothing at 100), and
 * oxipng goes over the result: seconds a megapixel.
 */
export const encodePng: Encoder = async (image, { quality, signal, decoded: known, minimizeBytes = false }) => {
  if (!minimizeBytes) {
    const facts = await image.metadata();
    const pixels = known ?? (isLarge(facts) ? undefined : await decodePicture(image));
    return pixels ? encodeDecoded(pixels, { density: facts.density, signal }) : encodeStreamed(image);
  }
  const picture = await decodePicture(image);
  const { width, height } = picture;
  const { shallow, notes } = await reduceDepth(picture, quality);
  if (!shallow) return { bytes: await smallest(picture, [await losslessPng(picture)]), width, height, notes };
  const isDrawn = looksDrawn(shallow);
  const candidates = pngCandidates(
    { samples: shallow, level: 6 },
    { target: quality === 100 ? undefined : targetScore(quality), isDrawn },
  );
  signal?.throwIfAborted();
  // For a photograph lossless output is never smaller than quantised output.
  if (isDrawn || candidates.length === 0) candidates.push(await losslessPng(shallow));
  return { bytes: await smallest(shallow, candidates), width, height, notes };
};

/** Bytes of samples that the encoder decodes into memory at most. */
const mostDecodedBytes = 32e6;

/** Decoding takes too much memory, or, for a drawing, an unknown amount. */
function isLarge({ format, width, height, channels, depth }: Metadata): boolean {
  return format === "svg" || width * height * channels * (depth === "uchar" ? 1 : 2) > mostDecodedBytes;
}

type Encoding = { density: number | undefined; signal: AbortSignal | undefined };

async function encodeDecoded(picture: DecodedPicture, { density, signal }: Encoding): Promise<Encoded> {
  const { width, height, profile } = picture;
  const pieces: Uint8Array[] = [];
  for await (const piece of packRows({ ...rowsOf(picture), profile, density }, { signal })) pieces.push(piece);
  return { bytes: Buffer.concat(pieces), width, height, notes: [] };
}

/** A picture that is too large to decode into memory: 1.5 to 3 times the processor time of our own, for about as many bytes. */
async function encodeStreamed(image: Sharp): Promise<Encoded> {
  const { data, info } = await image.png(quick).toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, notes: [] };
}

/** For a photograph 3 % more bytes than sharp's own level 6, which takes twice as long. */
const quick = { adaptiveFiltering: true, compressionLevel: 3 } as const;

const losslessPng = (picture: DecodedPicture): Promise<Buffer> =>
  picture.open().png({ adaptiveFiltering: true }).toBuffer();

/** Candidates within this factor may change their order: oxipng takes 5 to 15 % off either kind. */
const closeBy = 1.15;

/** The candidate that ends smallest. Only those go through oxipng that can. */
async function smallest(picture: DecodedPicture, candidates: Uint8Array[]): Promise<Uint8Array> {
  const level = optimisingLevel(picture);
  const least = Math.min(...candidates.map(({ length }) => length));
  const close = candidates.filter(({ length }) => length <= least * closeBy);
  const optimised: Uint8Array[] = [];
  for (const candidate of close) optimised.push(level === undefined ? candidate : await optimisePng(candidate, level));
  return optimised.reduce((a, b) => (b.length < a.length ? b : a));
}
