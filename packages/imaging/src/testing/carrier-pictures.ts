import type { Note } from "@tintype/contract";
import sharp, { type Sharp } from "sharp";
import { box } from "../formats/heif/boxes.ts";
import { pngChunk } from "../formats/png/container.ts";
import { fieldTypes } from "../raster/tiff-directory.ts";
import { littleTiffHead, numbersEntry, writeDirectory } from "../raster/write-directory.ts";
import { codedAv1, heicFile } from "./heic-file.ts";
import { withCamera, xmpOfAgency } from "./metadata-pictures.ts";
import { tiffFile } from "./tiff-file.ts";

const segment = (marker: number, ...data: (string | Uint8Array)[]): Buffer => {
  const body = Buffer.concat(data.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** Inserts segments after the SOI of a JPEG. */
const withSegments = (jpeg: Uint8Array, ...segments: Uint8Array[]) =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

const xmpPacket = (descriptions: string) =>
  segment(
    0xe1,
    "http://ns.adobe.com/xap/1.0/\0",
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${descriptions}</rdf:RDF></x:xmpmeta>`,
  );
const xmpSegment = (attributes: string, elements = "") =>
  xmpPacket(`<rdf:Description ${attributes}>${elements}</rdf:Description>`);

/** Smooth with some noise: a lossy encoding takes fewer bytes. */
export function photograph(width = 192, height = 128): Sharp {
  const samples = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const noise = (Math.imul(Math.imul(i + 1, 0x9e3779b1) >>> 15, 0x85ebca6b) >>> 26) - 32;
    return Math.max(0, Math.min(255, 40 + (x * 90) / width + (y * 90) / height + (i % 3) * 20 + noise));
  });
  return sharp(samples, { raw: { width, height, channels: 3 } });
}

/** 16 steps from dark on the left to bright on the right, so that a value identifies a position. */
export const mapOfSteps = (width = 96, height = 64): Sharp =>
  sharp(
    Uint8Array.from({ length: width * height }, (_, i) => 8 + 16 * Math.floor(((i % width) * 16) / width)),
    { raw: { width, height, channels: 1 } },
  ).toColourspace("b-w");

/** The MPF segment (CIPA DC-007) for two images, little-endian. */
function multiPicture({ at, sizes, type = 0 }: { at: number; sizes: [number, number]; type?: number }): Buffer {
  const images = Buffer.alloc(32);
  images.writeUInt32LE(0x030000);
  images.writeUInt32LE(sizes[0], 4);
  images.writeUInt32LE(type, 16);
  images.writeUInt32LE(sizes[1], 20);
  images.writeUInt32LE(sizes[0] - at, 24);
  const entries = [
    { tag: 0xb000, type: fieldTypes.undefined, bytes: Buffer.from("0100") },
    numbersEntry(0xb001, "long", [2]),
    { tag: 0xb002, type: fieldTypes.undefined, bytes: images },
  ];
  const directory = writeDirectory(entries, { at: littleTiffHead.length, isLittle: true, isBig: false });
  const index = Buffer.concat([littleTiffHead, directory]);
  return segment(0xe2, "MPF\0", index);
}

/** Two images in a file, the second one listed in the MP index. */
function pair(first: Uint8Array, second: Uint8Array, { segments = [] as Uint8Array[], type = 0 } = {}): Buffer {
  const before = segments.reduce((sum, { length }) => sum + length, 0);
  const sizes: [number, number] = [first.length + before + 90, second.length];
  return Buffer.concat([withSegments(first, ...segments, multiPicture({ at: 2 + before + 8, sizes, type })), second]);
}

type UltraHdr = {
  picture?: Sharp;
  map?: Sharp;
  /** The metadata that describes the map. */
  forms?: readonly ("hdrgm" | "iso")[];
  orientation?: number;
  mapQuality?: number;
};

/** ISO 21496-1, C.2.2, for one channel: fractions of a numerator and a denominator. */
export const isoNumbers = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 0x40]),
  ...[0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64].map((value) => {
    const word = Buffer.alloc(4);
    word.writeUInt32BE(value);
    return word;
  }),
]);
const isoMark = "urn:iso:std:iso:ts:21496:-1\0";

/** An Ultra HDR file, or one of ISO 21496-1, whose map has private EXIF. */
export async function ultraHdr({
  picture = photograph(),
  map = mapOfSteps(),
  forms = ["hdrgm"],
  orientation = 1,
  mapQuality = 95,
}: UltraHdr = {}): Promise<Buffer> {
  const bare = await map
    .clone()
    .withExif({ IFD0: { Copyright: "A-SECRET-NOTE" } })
    .jpeg({ quality: mapQuality })
    .toBuffer();
  const mapJpeg = withSegments(
    bare,
    ...(forms.includes("hdrgm")
      ? [
          xmpSegment(
            'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="2.5" hdrgm:Owner="A-SECRET-OWNER"',
            "<hdrgm:Gamma><rdf:Seq><rdf:li>1.0</rdf:li><rdf:li>1.1</rdf:li><rdf:li>1.2</rdf:li></rdf:Seq></hdrgm:Gamma>",
          ),
        ]
      : []),
    ...(forms.includes("iso") ? [segment(0xe2, isoMark, isoNumbers, "A-SECRET-NOTE")] : []),
  );
  const directory = forms.includes("hdrgm") ? directoryOf({ semantic: "GainMap", bytes: mapJpeg.length }) : "";
  const camera = withCamera(picture.clone()).withXmp(xmpOfAgency.replace("</rdf:RDF>", `${directory}</rdf:RDF>`));
  const primary = await (orientation === 1 ? camera : camera.withMetadata({ orientation }))
    .jpeg({ quality: 95 })
    .toBuffer();
  const segments = forms.includes("iso") ? [segment(0xe2, isoMark, isoNumbers.subarray(0, 4))] : [];
  return pair(primary, mapJpeg, { segments });
}

type AppleHdr = {
  /** The values of the maker notes HDRHeadroom and HDRGain, in thousandths; absent if undefined. */
  makerNotes?: [headroom: number, gain: number] | undefined;
  /** The text of HDRGainMapHeadroom in the map's XMP. */
  headroom?: string;
  picture?: Sharp;
  map?: Sharp;
  orientation?: number;
};

/** A file as iPhones write it: a picture with maker notes, followed by Apple's gain map. */
export async function appleHdr({
  makerNotes,
  headroom,
  picture = photograph(),
  map = mapOfSteps(),
  orientation = 1,
}: AppleHdr): Promise<Buffer> {
  const bare = await map.clone().jpeg({ quality: 100 }).toBuffer();
  const thumbnail = new Uint8Array(4000);
  const exif = segment(0xe1, "Exif\0\0", exifOfApple({ makerNotes, orientation }), thumbnail);
  return pair(await picture.jpeg({ quality: 95 }).toBuffer(), withSegments(bare, xmpPacket(xmpOfApple(headroom))), {
    segments: [exif],
  });
}

/** The description of Apple's gain map in XMP. */
export const xmpOfApple = (headroom?: string): string =>
  `<rdf:Description xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/"><apdi:AuxiliaryImageType>urn:com:apple:photo:2020:aux:hdrgainmap</apdi:AuxiliaryImageType><HDRGainMap:HDRGainMapVersion>${headroom === undefined ? 65_536 : 131_072}</HDRGainMap:HDRGainMapVersion>${headroom === undefined ? "" : `<HDRGainMap:HDRGainMapHeadroom>${headroom}</HDRGainMap:HDRGainMapHeadroom>`}</rdf:Description>`;

/** EXIF with an orientation and Apple's maker notes: big-endian IFDs. */
export function exifOfApple({ makerNotes, orientation = 1 }: Pick<AppleHdr, "makerNotes" | "orientation">): Buffer {
  const words = (...values: [bytes: 2 | 4, value: number][]) =>
    Buffer.concat(
      values.map(([bytes, value]) => {
        const word = Buffer.alloc(bytes);
        if (bytes === 2) word.writeUInt16BE(value);
        else word.writeInt32BE(value);
        return word;
      }),
    );
  const entry = (tag: number, type: number, count: number, value: number) =>
    words([2, tag], [2, type], [4, count], [4, value]);
  const [noteHead, directoryBytes] = ["Apple iOS\0\0\x01MM", 2 + 2 * 12 + 4];
  const valuesAt = noteHead.length + directoryBytes;
  const note = makerNotes
    ? Buffer.concat([
        Buffer.from(noteHead, "latin1"),
        words([2, 2]),
        ...[33, 48].map((tag, i) => entry(tag, 10, 1, valuesAt + 8 * i)),
        words([4, 0]),
        ...makerNotes.map((value) => words([4, value], [4, 1000])),
      ])
    : Buffer.alloc(0);
  const photoAt = 8 + directoryBytes;
  return Buffer.concat([
    Buffer.from("MM\0*", "latin1"),
    words([4, 8], [2, 2]),
    entry(274, 3, 1, orientation << 16),
    entry(34_665, 4, 1, photoAt),
    words([4, 0], [2, 1]),
    entry(37_500, 7, note.length, photoAt + 2 + 12 + 4),
    words([4, 0]),
    note,
  ]);
}

/** Google's Container:Directory. */
const directoryOf = ({ semantic, bytes }: { semantic: string; bytes: number }) =>
  `<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"${semantic === "GainMap" ? ' hdrgm:Version="1.0"' : ""}><Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="image/jpeg" Item:Length="${bytes}"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>`;

const film = Buffer.concat([Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0isommp42", "latin1"), Buffer.alloc(400, 7)]);
const samsungTrailer = Buffer.concat([
  Buffer.from("\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data", "latin1"),
  film,
  Buffer.from("SEFHSEFT", "latin1"),
]);
/** A video of empty boxes; `moov` contains a location. */
export const boxedFilm = Buffer.concat([
  film.subarray(0, 24),
  box("moov", Buffer.from("udta xyz +48.8577+002.295/", "latin1")),
  box("mdat", Buffer.alloc(700, 9)),
]);

/** A motion photo with both of Google's references to its video; with `hasMap`, a gain map is between picture and video. */
export async function motionPhoto({ film = boxedFilm, hasMap = false, quality = 95 } = {}): Promise<Buffer> {
  const space = 'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"';
  const told = `GCamera:MotionPhoto="1" GCamera:MotionPhotoPresentationTimestampUs="366667" GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${film.length}"`;
  const descriptions = `<rdf:Description ${space} ${told}/>${directoryOf({ semantic: "MotionPhoto", bytes: film.length })}`;
  const camera = withCamera(photograph()).withXmp(xmpOfAgency.replace("</rdf:RDF>", `${descriptions}</rdf:RDF>`));
  const picture = hasMap ? await ultraHdr() : await camera.jpeg({ quality }).toBuffer();
  return Buffer.concat([picture, film]);
}

/** Samsung's motion photo: the video, and a trailer with its offset and the country of capture. */
export const samsungPhoto = async (): Promise<Buffer> =>
  Buffer.concat([
    await jpeg(),
    Buffer.from("\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data", "latin1"),
    boxedFilm,
    Buffer.from("\0\0\xa1\x0a\x08\0\0\0MCC_Data262SEFH\x6a\0\0\0SEFT", "latin1"),
  ]);

const manifest = Buffer.from(
  "JP\0\x01\0\0\0\x01\0\0\0\x40jumb\0\0\0\x1ejumdc2pa\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03c2pa\0",
  "latin1",
);

const jpeg = () => photograph().jpeg({ quality: 95 }).toBuffer();
const second = () => photograph(96, 64).jpeg().toBuffer();
const apple = async (type: string) =>
  withSegments(
    await mapOfSteps().jpeg().toBuffer(),
    xmpSegment(
      'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/"',
      `<apdi:AuxiliaryImageType>${type}</apdi:AuxiliaryImageType>`,
    ),
  );

/** JPEG files with data besides their picture, and the note about it. */
export const jpegCarriers: Record<string, { file: () => Promise<Buffer>; lost: Note }> = {
  "a gain map of Ultra HDR": { file: () => ultraHdr(), lost: { code: "gain-map-left-out" } },
  "a gain map of ISO 21496-1": { file: () => ultraHdr({ forms: ["iso"] }), lost: { code: "gain-map-left-out" } },
  "Apple's gain map": {
    file: async () => pair(await jpeg(), await apple("urn:com:apple:photo:2020:aux:hdrgainmap")),
    lost: { code: "gain-map-left-out" },
  },
  "Apple's matte": {
    file: async () => pair(await jpeg(), await apple("urn:com:apple:photo:2018:aux:portraiteffectsmatte")),
    lost: { code: "mattes-left-out" },
  },
  "Apple's depth map": {
    file: async () => pair(await jpeg(), await apple("disparity")),
    lost: { code: "depth-map-left-out" },
  },
  "Google's depth map": {
    file: async () => {
      const map = await second();
      const xmp = xmpPacket(directoryOf({ semantic: "Depth", bytes: map.length }));
      return Buffer.concat([withSegments(await jpeg(), xmp), map]);
    },
    lost: { code: "depth-map-left-out" },
  },
  "a depth map in XMP": {
    file: async () =>
      withSegments(
        await jpeg(),
        xmpSegment('xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse"'),
      ),
    lost: { code: "depth-map-left-out" },
  },
  "a film at its end": {
    file: async () =>
      Buffer.concat([
        withSegments(
          await jpeg(),
          xmpSegment('xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1"'),
        ),
        film,
      ]),
    lost: { code: "film-left-out" },
  },
  "Samsung's film": {
    file: async () => Buffer.concat([await jpeg(), samsungTrailer]),
    lost: { code: "film-left-out" },
  },
  "a second picture": {
    file: async () => pair(await jpeg(), await second(), { type: 0x020002 }),
    lost: { code: "further-pictures-left-out", count: 1 },
  },
  "two more pictures": {
    file: async () => Buffer.concat([await jpeg(), await second(), Buffer.alloc(200), await second()]),
    lost: { code: "further-pictures-left-out", count: 2 },
  },
  "content credentials": {
    file: async () => withSegments(await jpeg(), segment(0xeb, manifest)),
    lost: { code: "credentials-left-out" },
  },
  "unknown data": {
    file: async () => Buffer.concat([await jpeg(), Buffer.alloc(300, 0x55)]),
    lost: { code: "trailing-data-left-out" },
  },
};

/** JPEG files that lose nothing worth a note. */
export const plainJpegs: Record<string, () => Promise<Buffer>> = {
  "a photograph": jpeg,
  "a preview for small screens": async () => pair(await jpeg(), await second(), { type: 0x010002 }),
  "a mark of a motion photo whose film is gone": async () =>
    withSegments(
      await jpeg(),
      xmpSegment('xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" GCamera:MotionPhoto="1"'),
    ),
  padding: async () => Buffer.concat([await jpeg(), Buffer.alloc(5000)]),
};

/** Replaces the type in the box of an auxiliary image; the length of the box does not change. */
function auxiliary(type: string): Buffer {
  const file = Buffer.from(heicFile({ hasMatte: true }));
  const alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
  file.write(type.padEnd(alpha.length, "\0"), file.indexOf(alpha), "latin1");
  return file;
}

/** A file whose first item is a tone-map item instead of a picture. */
function withToneMap(file: Uint8Array): Buffer {
  const copy = Buffer.from(file);
  copy.write("tmap", copy.indexOf("hvc1", copy.indexOf("infe")), "latin1");
  return copy;
}

/** The header of an AVIF with a gain map by ISO 21496-1. */
export async function hdrAvif(): Promise<Buffer> {
  const avif = await photograph(96, 64).avif({ quality: 90, effort: 1 }).toBuffer();
  const other = { ...codedAv1(avif), width: 96, height: 64 };
  return withToneMap(heicFile({ type: "av01", other, hasSecond: true }));
}

const layeredTiff = () =>
  tiffFile({
    tags: [
      { tag: 256, type: "short", values: [8] },
      { tag: 257, type: "short", values: [8] },
      { tag: 258, type: "short", values: [8] },
      { tag: 259, type: "short", values: [1] },
      { tag: 262, type: "short", values: [1] },
      { tag: 277, type: "short", values: [1] },
      { tag: 278, type: "short", values: [8] },
      { tag: 37_724, type: "undefined", values: Buffer.from("Adobe Photoshop Document Data Block\0A-SECRET-NOTE") },
    ],
    segments: [Uint8Array.from({ length: 64 }, (_, i) => i * 4)],
  });

const c2paBox = box("uuid", Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex"), manifest);
const lostCredentials: Note = { code: "credentials-left-out" };

/** Files of other formats with data besides their picture. */
export const otherCarriers: Record<string, { file: () => Promise<Buffer> | Buffer; lost: Note }> = {
  "a HEIC with Apple's gain map": {
    file: () => auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"),
    lost: { code: "gain-map-left-out" },
  },
  "a HEIC with a tone-mapped picture": {
    file: () => withToneMap(heicFile({ hasSecond: true })),
    lost: { code: "gain-map-left-out" },
  },
  "a HEIC with a depth map": {
    file: () => auxiliary("urn:mpeg:hevc:2015:auxid:2"),
    lost: { code: "depth-map-left-out" },
  },
  "a HEIC with a matte": {
    file: () => auxiliary("urn:com:apple:photo:2018:aux:skinmatte"),
    lost: { code: "mattes-left-out" },
  },
  "a HEIC with a film": {
    file: () => Buffer.concat([heicFile(), box("mpvd", film)]),
    lost: { code: "film-left-out" },
  },
  "a HEIC with content credentials": { file: () => Buffer.concat([heicFile(), c2paBox]), lost: lostCredentials },
  "a PNG with content credentials": {
    file: async () => {
      const png = await photograph().png().toBuffer();
      return Buffer.concat([png.subarray(0, 33), pngChunk("caBX", manifest), png.subarray(33)]);
    },
    lost: lostCredentials,
  },
  "a WebP with content credentials": {
    file: async () => {
      const webp = await photograph().webp().toBuffer();
      const chunk = Buffer.concat([Buffer.from("C2PA\0\0\0\0", "latin1"), manifest, Buffer.alloc(manifest.length & 1)]);
      chunk.writeUInt32LE(manifest.length, 4);
      const file = Buffer.concat([webp, chunk]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    },
    lost: lostCredentials,
  },
  "a GIF with content credentials": {
    file: async () => {
      const gif = await photograph(32, 24).gif().toBuffer();
      const extension = Buffer.concat([
        Buffer.from("!\xff\x0bC2PA_GIF\x01\0\0", "latin1"),
        Buffer.from([manifest.length]),
        manifest,
        Buffer.from([0]),
      ]);
      const after = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1);
      return Buffer.concat([gif.subarray(0, after), extension, gif.subarray(after)]);
    },
    lost: lostCredentials,
  },
  "an SVG with content credentials": {
    file: () =>
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><metadata><c2pa:manifest xmlns:c2pa="http://c2pa.org/manifest">AAAA</c2pa:manifest></metadata><rect width="20" height="30" fill="#c41"/></svg>',
      ),
    lost: lostCredentials,
  },
  "a TIFF with Photoshop's layers": {
    file: () => layeredTiff(),
    lost: { code: "layers-left-out" },
  },
};
