import { box as boxOf, readBoxes, uint } from "../formats/heif/boxes.ts";
import { readItems } from "../formats/heif/items.ts";

type Coded = { vps: string; sps: string; pps: string; slice: string };

/**
 * HEVC intra frames of 64 x 32, made for these tests. The quarters of the picture are `heicColours`, in 8 and in 10
 * bits. The matte is opaque on the left and 128 of 255 on the right.
 */
const frames = {
  eight: {
    vps: "QAEMAf//BAgAAAMAn6gAAAMAAB66AkA=",
    sps: "QgEBBAgAAAMAn6gAAAMAAB6gIIIWW6uTC5sCAAADAAIAAAMAMhA=",
    pps: "RAHBcYES",
    slice:
      "KAGsFeCYki/oUBf/7Kn9D9pEQJ2NxPrT/S/lPL//exb2CsJ18b982liptbyBsRQMlC2Ok4o1IL4AuYaV+GzH/mav/8y8IVNVDH5cAn/u6Usa+0/6/28s8A==",
  },
  ten: {
    vps: "QAEMAf//BAgAAAMAnagAAAMAAB66AkA=",
    sps: "QgEBBAgAAAMAnagAAAMAAB6gIIITZbq5MLmwIAAAAwAgAAADAyE=",
    pps: "RAHBcYES",
    slice: "KAGsFeCYki/oUBf/7Iv9D9pzQJsbifW/+l/KYv/+9c3jBMdB6shP+2P//zMNmIByk/HbL/2x7Y7oznB+",
  },
  matte: {
    vps: "QAEMAf//BAgAAAMAn+gAAAMAAB66AkA=",
    sps: "QgEBBAgAAAMAn+gAAAMAAB7AgghZbq5MLmwIAAADAAgAAAMAyEA=",
    pps: "RAHBcYES",
    slice: "KAGsFeDxd0v4YGc6/+wv/g==",
  },
} satisfies Record<string, Coded>;

/** Top left, top right, bottom left, bottom right. */
export const heicColours = [
  [230, 30, 20],
  [20, 200, 40],
  [30, 40, 220],
  [240, 240, 240],
] as const;
const [width, height] = [64, 32];

export type HeicFile = {
  coding?: "eight" | "ten";
  hasMatte?: boolean;
  /** `irot`: quarter turns anticlockwise. */
  turns?: 0 | 1 | 2 | 3;
  /** Code points for primaries, transfer and matrix; by default no `nclx` box is written. */
  codes?: [number, number, number];
  profile?: Uint8Array;
  /** A second picture, 8-bit and without further properties, before the primary one in the file. */
  hasSecond?: boolean;
  /** The metadata of a tone-mapped image, derived from the primary one and a hidden gain map with the matte's pixels. */
  toneMap?: Uint8Array;
  /** Apple's gain map with the matte's pixels and this XMP. */
  appleMap?: { xmp: string };
  exif?: Uint8Array;
  xmp?: string;
  /** Two pictures side by side, as tiles of a grid; the primary item has id 10. */
  isGrid?: boolean;
  /** The number of meaningless properties after the others. */
  surplusProperties?: number;
  /** Overrides the size in the header. */
  claims?: { width: number; height: number };
  /** Overrides the item type, whatever the coding. */
  type?: string;
  /** A picture of another codec instead: its configuration box, data and size. */
  other?: { configuration: Uint8Array; data: Uint8Array; width: number; height: number };
};

/** The configuration box and the data of a single-item AVIF, for use in another file. */
export function codedAv1(avif: Uint8Array): { configuration: Uint8Array; data: Uint8Array } {
  const [item] = readItems(avif, readBoxes(avif, 0, avif.length)).items.values();
  const [extent] = item?.extents ?? [];
  const configuration = item?.properties.find(({ type }) => type === "av1C");
  return {
    configuration: avif.subarray(configuration?.start, configuration?.end),
    data: avif.subarray(extent?.start, extent?.end),
  };
}

/** Builds a HEIC (ISO/IEC 23008-12) from the frames above. */
export function heicFile(file: HeicFile = {}): Uint8Array {
  const { coding = "eight", hasMatte, turns = 0, codes, profile, hasSecond, exif, xmp, other, type = "hvc1" } = file;
  const size = file.claims ?? other ?? { width, height };
  const ispe = full("ispe", [u32(size.width), u32(size.height)]);
  const properties: Uint8Array[] = [];
  const property = (box: Uint8Array) => properties.push(box);
  const items: Item[] = [];
  const main = hasSecond ? 2 : 1;
  if (hasSecond)
    items.push({ id: 1, type: "hvc1", data: slice("eight"), properties: [property(hvcC("eight")), property(ispe)] });
  const described = [property(other?.configuration ?? hvcC(coding)), property(ispe)];
  if (codes) described.push(property(box("colr", [text("nclx"), ...codes.map(u16), Uint8Array.of(0x80)])));
  if (profile) described.push(property(box("colr", [text("prof"), profile])));
  if (turns > 0) described.push(property(box("irot", [Uint8Array.of(turns)])));
  items.push({ id: main, type, data: other?.data ?? slice(coding), properties: described });
  if (hasMatte) {
    const auxC = full("auxC", [text("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")]);
    const matte = [property(hvcC("matte")), property(ispe), property(auxC)];
    if (turns > 0) matte.push(property(box("irot", [Uint8Array.of(turns)])));
    items.push({ id: 5, type: "hvc1", data: slice("matte"), properties: matte, refersTo: ["auxl", main] });
  }
  if (file.toneMap) {
    const map = [property(hvcC("matte")), property(full("ispe", [u32(width), u32(height)]))];
    items.push({ id: 8, type: "hvc1", data: slice("matte"), properties: map });
    items.push({ id: 9, type: "tmap", data: file.toneMap, properties: [], refersTo: ["dimg", main, 8] });
  }
  if (file.appleMap) {
    const auxC = full("auxC", [text("urn:com:apple:photo:2020:aux:hdrgainmap\0")]);
    const map = [property(hvcC("matte")), property(full("ispe", [u32(width), u32(height)])), property(auxC)];
    items.push({ id: 12, type: "hvc1", data: slice("matte"), properties: map, refersTo: ["auxl", main] });
    const { xmp: words } = file.appleMap;
    items.push({ id: 13, type: "mime", data: text(words), properties: [], refersTo: ["cdsc", 12] });
  }
  if (exif) items.push({ id: 6, type: "Exif", data: join([u32(0), exif]), properties: [], refersTo: ["cdsc", main] });
  if (xmp !== undefined) items.push({ id: 7, type: "mime", data: text(xmp), properties: [], refersTo: ["cdsc", main] });
  for (let i = 0; i < (file.surplusProperties ?? 0); i++) property(box("free", [u32(i)]));
  if (!file.isGrid) return assemble(items, { main, properties });
  const gridSize = property(full("ispe", [u32(size.width * 2), u32(size.height)]));
  const tile = items.find(({ id }) => id === main);
  const tiles = tile ? [tile, { ...tile, id: 11 }] : [];
  const data = Uint8Array.of(0, 0, 0, 1, ...u16(size.width * 2), ...u16(size.height));
  const grid: Item = { id: 10, type: "grid", data, properties: [gridSize], refersTo: ["dimg", main, 11] };
  return assemble([...tiles, grid], { main: 10, properties });
}

type Item = { id: number; type: string; data: Uint8Array; properties: number[]; refersTo?: [string, ...number[]] };

function assemble(items: Item[], { main, properties }: { main: number; properties: Uint8Array[] }): Uint8Array {
  const ftyp = box("ftyp", [
    text("mif1"),
    u32(0),
    text(items.some(({ type }) => type === "av01") ? "mif1avif" : "mif1heic"),
  ]);
  const meta = (dataAt: number) => {
    let at = dataAt;
    const places = items.map(({ id, data }) => {
      const place = join([u16(id), u16(0), u16(1), u32(at), u32(data.length)]);
      at += data.length;
      return place;
    });
    return full("meta", [
      full("hdlr", [u32(0), text("pict"), new Uint8Array(13)]),
      full("pitm", [u16(main)]),
      full("iinf", [u16(items.length), ...items.map(information)]),
      full(
        "iref",
        items.flatMap(({ id, refersTo: [kind, ...ids] = [""] }) =>
          ids.length > 0 ? [box(kind, [u16(id), u16(ids.length), ...ids.map(u16)])] : [],
        ),
      ),
      box("iprp", [box("ipco", properties), full("ipma", [u32(items.length), ...items.map(associations)])]),
      full("iloc", [u16(0x4400), u16(items.length), ...places]),
    ]);
  };
  const dataAt = ftyp.length + meta(0).length + 8;
  return join([
    ftyp,
    meta(dataAt),
    box(
      "mdat",
      items.map(({ data }) => data),
    ),
  ]);
}

const information = ({ id, type }: Item) =>
  box("infe", [
    Uint8Array.of(2, 0, 0, 0),
    u16(id),
    u16(0),
    text(type),
    text(type === "mime" ? "\0application/rdf+xml\0\0" : "\0"),
  ]);
const associations = ({ id, properties }: Item) => join([u16(id), Uint8Array.of(properties.length, ...properties)]);

const bytesOf = (packed: string) => Buffer.from(packed, "base64");

function slice(frame: keyof typeof frames): Uint8Array {
  const data = bytesOf(frames[frame].slice);
  return join([u32(data.length), data]);
}

/** ISO/IEC 14496-15, section 8.3.3.1: the decoder configuration record with its parameter sets. */
function hvcC(frame: keyof typeof frames): Uint8Array {
  const { vps, sps, pps } = frames[frame];
  const bits = frame === "ten" ? 2 : 0;
  const [chroma, profile] = frame === "matte" ? [0, 4] : [1, 4];
  const head = [
    1,
    profile,
    8,
    0,
    0,
    0,
    0x9f,
    0xa8,
    0,
    0,
    0,
    0,
    30,
    0xf0,
    0,
    0xfc,
    0xfc | chroma,
    0xf8 | bits,
    0xf8 | bits,
  ];
  const sets = [vps, sps, pps]
    .map(bytesOf)
    .map((set, i) => join([Uint8Array.of(0x80 | (32 + i)), u16(1), u16(set.length), set]));
  return box("hvcC", [Uint8Array.of(...head, 0, 0, 0x0f, 3), ...sets]);
}

const text = (value: string) => new TextEncoder().encode(value);
const join = (parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts));
const u16 = (value: number) => Uint8Array.from(uint(2, value));
const u32 = (value: number) => Uint8Array.from(uint(4, value));
const box = (type: string, parts: Uint8Array[]) => Uint8Array.from(boxOf(type, ...parts));
const full = (type: string, parts: Uint8Array[]) => box(type, [u32(0), ...parts]);
