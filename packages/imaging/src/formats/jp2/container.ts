import { fourCharacters, readBoxes, reader } from "../heif/boxes.ts";
import { broken } from "./codestream.ts";

/** A channel: a component used directly, or the palette column that it indexes (ISO/IEC 15444-1, I.5.3.5). */
export type Channel = { component: number; column?: number };

/** EnumCS (I.5.3.3), supported or not; or the colour space of an ICC profile. */
export type Colours = { number: number } | { profile: Uint8Array; space: string };

export type Jp2Palette = { bits: number[]; columns: Uint16Array[] };

/**
 * What a channel means (I.5.3.6): a colour by its 1-based number, or "any" if it is of none in particular; opacity, or
 * something else.
 */
export type ChannelMeaning = { colour: number | "any" } | { opacity: "straight" | "premultiplied" } | "other";

export type Jp2 = {
  codestream: Uint8Array;
  /** The number of codestreams in the file. */
  pictures: number;
  /** The supported colour specifications, in file order. Empty for a bare codestream. */
  colours: Colours[];
  /** There are colour specifications, but none is supported. */
  hasUnknownColours: boolean;
  palette?: Jp2Palette | undefined;
  /** Absent if channels are the components. */
  channels?: Channel[] | undefined;
  /** By channel. Absent if all channels are colours. */
  meanings?: Map<number, ChannelMeaning> | undefined;
};

export const isBareCodestream = (bytes: Uint8Array): boolean => bytes[0] === 0xff;

/**
 * Reads the boxes of a JP2 (ISO/IEC 15444-1, annex I), because OpenJPEG does not read all of them, or a bare
 * codestream.
 * @throws broken-image, RangeError past the end of a box
 */
export function readJp2(bytes: Uint8Array): Jp2 {
  if (isBareCodestream(bytes)) return { codestream: bytes, pictures: 1, colours: [], hasUnknownColours: false };
  const boxes = readBoxes(bytes, 0, bytes.length);
  const [first, ...others] = boxes.filter(({ type }) => type === "jp2c");
  if (!first) broken("there is no codestream");
  const header = boxes.find(({ type }) => type === "jp2h");
  const inside = header ? readBoxes(bytes, header.body, header.end) : [];
  const find = (type: string) => inside.find((box) => box.type === type);
  const [palette, mapping, definitions] = [find("pclr"), find("cmap"), find("cdef")];
  const descriptions = inside.filter(({ type }) => type === "colr");
  const colours = descriptions.flatMap((box) => coloursIn(bytes.subarray(box.body, box.end)) ?? []);
  return {
    codestream: bytes.subarray(first.body, first.end),
    pictures: 1 + others.length,
    colours,
    hasUnknownColours: descriptions.length > 0 && colours.length === 0,
    // A palette and a component mapping require each other.
    ...(palette && mapping
      ? { palette: paletteIn(reader(bytes, palette)), channels: channelsIn(reader(bytes, mapping)) }
      : {}),
    meanings: definitions && meaningsIn(reader(bytes, definitions)),
  };
}

const maxChannels = 16_384;

/** METH: 1 is enumerated, 2 a restricted ICC profile, 3 any ICC profile (JPX). */
function coloursIn(body: Uint8Array): Colours | undefined {
  const method = body[0];
  const data = body.subarray(3);
  if (method === 1 && data.length >= 4) return { number: reader(data, { body: 0, end: 4 }).number(4) };
  const isProfile = (method === 2 || method === 3) && data.length > 128 && fourCharacters(data, 36) === "acsp";
  return isProfile ? { profile: data, space: fourCharacters(data, 16).trim() } : undefined;
}

type Reader = ReturnType<typeof reader>;

function paletteIn({ number }: Reader): Jp2Palette {
  const entries = number(2);
  const count = number(1);
  const bits = Array.from({ length: count }, () => (number(1) & 0x7f) + 1);
  if (entries === 0 || entries > 1024 || count === 0) broken("its palette makes no sense");
  const columns = bits.map(() => new Uint16Array(entries));
  for (let entry = 0; entry < entries; entry++)
    for (const [column, values] of columns.entries()) values[entry] = number(Math.ceil((bits[column] ?? 8) / 8));
  return { bits, columns };
}

function channelsIn({ number, left }: Reader): Channel[] {
  if (left() / 4 > maxChannels) broken("it has too many channels");
  return Array.from({ length: Math.floor(left() / 4) }, () => {
    const [component, kind, column] = [number(2), number(1), number(1)];
    return kind === 1 ? { component, column } : { component };
  });
}

function meaningsIn({ number }: Reader): Map<number, ChannelMeaning> {
  const meanings = new Map<number, ChannelMeaning>();
  for (let count = number(2); count > 0; count--) {
    const [channel, kind, place] = [number(2), number(2), number(2)];
    meanings.set(channel, meaningOf(kind, place));
  }
  return meanings;
}

/**
 * Opacity is used only if it applies to the whole picture. Writers associate channels with the whole picture (0) or
 * with nothing (65535) also where they mean the next colour: OpenJPEG reads both so.
 */
function meaningOf(kind: number, place: number): ChannelMeaning {
  const isOfAll = place === 0 || place === 65_535;
  if (kind === 0) return { colour: isOfAll ? "any" : place };
  if (kind === 1 && isOfAll) return { opacity: "straight" };
  return kind === 2 && isOfAll ? { opacity: "premultiplied" } : "other";
}
