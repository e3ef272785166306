import sharp, { type Sharp } from "sharp";
import { inColour } from "../colour/in-colour.ts";
import { readDirectory, type TiffDirectory, tiffLayout } from "./tiff-directory.ts";

/** A still picture decoded into memory, to be looked at before it is encoded, without decoding it twice. */
export type Held = {
  width: number;
  height: number;
  /** Grey, grey and alpha, RGB, RGB and alpha (not premultiplied). */
  channels: 1 | 2 | 3 | 4;
  /** The colour profile that goes with the samples, where the pipeline keeps one. */
  profile: Uint8Array | undefined;
  /** A fresh pipeline from the held pixels, with their profile. */
  open(): Sharp;
} & HeldSamples;

/** Rows from the top down; numbers of 16 bits as the machine has them (little-endian on all that sharp runs on). */
type HeldSamples = { depth: 8; samples: Uint8Array } | { depth: 16; samples: Uint16Array };

/**
 * Runs the pipeline once. The pixels lie in an uncompressed TIFF, the one container in which sharp gives and takes any
 * of them with their profile: three bytes a pixel for a photograph, freed with the object.
 */
export async function holdPixels(image: Sharp): Promise<Held> {
  const { data, info } = await image.clone().tiff({ compression: "none" }).toBuffer({ resolveWithObject: true });
  const directory = readDirectory(...firstDirectory(data));
  const channels = info.channels as Held["channels"]; // more than one colour and alpha is refused on opening
  const profile = directory.entries.find(({ tag }) => tag === tags.profile)?.values;
  const held = samplesIn(data, directory);
  const colour = { isGrey: channels < 3, hasProfile: profile !== undefined, depth: held.depth };
  return {
    width: info.width,
    height: info.height,
    channels,
    ...held,
    profile: profile && data.subarray(profile.start, profile.end),
    open: () => inColour(sharp(data, { limitInputPixels: false }), colour),
  };
}

const tags = { bitsPerSample: 258, stripOffsets: 273, stripLengths: 279, profile: 34675 } as const;

function firstDirectory(data: Uint8Array): Parameters<typeof readDirectory> {
  const layout = tiffLayout(data);
  return [layout, layout.first];
}

const numbersOf = ({ entries }: TiffDirectory, wanted: number) =>
  entries.find(({ tag }) => tag === wanted)?.numbers() ?? [];

/** libtiff writes the strips one after the other, so that they can be looked at as one; where it does not, they are joined. */
function samplesIn(data: Buffer, directory: TiffDirectory): HeldSamples {
  const offsets = numbersOf(directory, tags.stripOffsets);
  const lengths = numbersOf(directory, tags.stripLengths);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const start = offsets[0] ?? 0;
  const isOnePiece = offsets.every((at, i) => i === 0 || at === (offsets[i - 1] ?? 0) + (lengths[i - 1] ?? 0));
  const bytes = isOnePiece
    ? data.subarray(start, start + total)
    : Buffer.concat(offsets.map((at, i) => data.subarray(at, at + (lengths[i] ?? 0))));
  if (numbersOf(directory, tags.bitsPerSample)[0] !== 16) return { depth: 8, samples: bytes };
  const aligned = bytes.byteOffset % 2 === 0 ? bytes : Uint8Array.from(bytes);
  return { depth: 16, samples: new Uint16Array(aligned.buffer, aligned.byteOffset, total / 2) };
}
