import sharp, { type Sharp } from "sharp";
import { pngChunk } from "../formats/png/container.ts";
import { codedAv1, heicFile, heifBox } from "./heic-file.ts";
import { withCamera, xmpOfAgency } from "./metadata-pictures.ts";
import { tiffFile } from "./tiff-file.ts";

const segment = (marker: number, ...data: (string | Uint8Array)[]): Buffer => {
  const body = Buffer.concat(data.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** The JPEG with segments after its SOI. */
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

/** Smooth, with some noise: it is coded in fewer bytes with a loss. */
export function photograph(width = 192, height = 128): Sharp {
  const samples = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    const noise = (Math.imul(Math.imul(i + 1, 0x9e3779b1) >>> 15, 0x85ebca6b) >>> 26) - 32;
    return Math.max(0, Math.min(255, 40 + (x * 90) / width + (y * 90) / height + (i % 3) * 20 + noise));
  });
  return sharp(samples, { raw: { width, height, channels: 3 } });
}

/** Dark on the left, bright on the right: in 16 steps, so that a place in it is known by its value. */
export const mapOfSteps = (width = 96, height = 64): Sharp =>
  sharp(
    Uint8Array.from({ length: width * height }, (_, i) => 8 + 16 * Math.floor(((i % width) * 16) / width)),
    { raw: { width, height, channels: 1 } },
  ).toColourspace("b-w");

/** The Multi-Picture Format's segment of two images (CIPA DC-007), little-endian. */
function multiPicture({ at, sizes, type = 0 }: { at: number; sizes: [number, number]; type?: number }): Buffer {
  const index = Buffer.alloc(82);
  index.write("II*\0", "latin1");
  index.writeUInt32LE(8, 4);
  index.writeUInt16LE(3, 8);
  const entries = [
    [0xb000, 7, 4, 0x30303130],
    [0xb001, 4, 1, 2],
    [0xb002, 7, 32, 50],
  ];
  for (const [i, [tag = 0, kind = 0, count = 0, value = 0]] of entries.entries()) {
    index.writeUInt16LE(tag, 10 + i * 12);
    index.writeUInt16LE(kind, 12 + i * 12);
    index.writeUInt32LE(count, 14 + i * 12);
    index.writeUInt32LE(value, 18 + i * 12);
  }
  index.writeUInt32LE(0x030000, 50);
  index.writeUInt32LE(sizes[0], 54);
  index.writeUInt32LE(type, 66);
  index.writeUInt32LE(sizes[1], 70);
  index.writeUInt32LE(sizes[0] - at, 74);
  return segment(0xe2, "MPF\0", index);
}

/** A second image behind a first one, listed in the Multi-Picture Format. */
function pair(first: Uint8Array, second: Uint8Array, { segments = [] as Uint8Array[], type = 0 } = {}): Buffer {
  const before = segments.reduce((sum, { length }) => sum + length, 0);
  const sizes: [number, number] = [first.length + before + 90, second.length];
  return Buffer.concat([withSegments(first, ...segments, multiPicture({ at: 2 + before + 8, sizes, type })), second]);
}

type UltraHdr = {
  picture?: Sharp;
  map?: Sharp;
  /** Which metadata tells of the map. */
  forms?: readonly ("hdrgm" | "iso")[];
  orientation?: number;
  mapQuality?: number;
};

/** ISO 21496-1, C.2.2, of one channel: fractions of a numerator and a denominator. */
export const isoNumbers = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 0x40]),
  ...[0, 1, 2, 1, 0, 1, 2, 1, 1, 1, 1, 64, 1, 64].map((value) => {
    const word = Buffer.alloc(4);
    word.writeUInt32BE(value);
    return word;
  }),
]);
const isoMark = "urn:iso:std:iso:ts:21496:-1\0";

/** An Ultra HDR file, or one of ISO 21496-1, whose map has EXIF of a camera that is nobody's business. */
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

/** Google's directory of the pictures in a file. */
const directoryOf = ({ semantic, bytes }: { semantic: string; bytes: number }) =>
  `<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"${semantic === "GainMap" ? ' hdrgm:Version="1.0"' : ""}><Container:Directory><rdf:Seq><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="image/jpeg" Item:Length="${bytes}"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>`;

const film = Buffer.concat([Buffer.from("\0\0\0\x18ftypmp42\0\0\0\0isommp42", "latin1"), Buffer.alloc(400, 7)]);
const samsungTrailer = Buffer.concat([
  Buffer.from("\0\0\x30\x0a\x10\0\0\0MotionPhoto_Data", "latin1"),
  film,
  Buffer.from("SEFHSEFT", "latin1"),
]);
/** A film of boxes with nothing in them; `moov` may have the place where it was made. */
export const boxedFilm = Buffer.concat([
  film.subarray(0, 24),
  heifBox("moov", Buffer.from("udta xyz +48.8577+002.295/", "latin1")),
  heifBox("mdat", Buffer.alloc(700, 9)),
]);

/** A motion photo, by both of Google's ways to name its film; with a gain map between picture and film where `hasMap` says so. */
export async function motionPhoto({ film = boxedFilm, hasMap = false, quality = 95 } = {}): Promise<Buffer> {
  const space = 'xmlns:GCamera="http://ns.google.com/photos/1.0/camera/"';
  const told = `GCamera:MotionPhoto="1" GCamera:MotionPhotoPresentationTimestampUs="366667" GCamera:MicroVideo="1" GCamera:MicroVideoOffset="${film.length}"`;
  const descriptions = `<rdf:Description ${space} ${told}/>${directoryOf({ semantic: "MotionPhoto", bytes: film.length })}`;
  const camera = withCamera(photograph()).withXmp(xmpOfAgency.replace("</rdf:RDF>", `${descriptions}</rdf:RDF>`));
  const picture = hasMap ? await ultraHdr() : await camera.jpeg({ quality }).toBuffer();
  return Buffer.concat([picture, film]);
}

/** Samsung's film, with a trailer that says where it begins and in which country it was made. */
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

/** JPEG files with something besides their picture, and what a report calls it. */
export const jpegCarriers: Record<string, { file: () => Promise<Buffer>; lost: string }> = {
  "a gain map of Ultra HDR": { file: () => ultraHdr(), lost: "The HDR gain map was left out." },
  "a gain map of ISO 21496-1": { file: () => ultraHdr({ forms: ["iso"] }), lost: "The HDR gain map was left out." },
  "Apple's gain map": {
    file: async () => pair(await jpeg(), await apple("urn:com:apple:photo:2020:aux:hdrgainmap")),
    lost: "The HDR gain map was left out.",
  },
  "Apple's matte": {
    file: async () => pair(await jpeg(), await apple("urn:com:apple:photo:2018:aux:portraiteffectsmatte")),
    lost: "The portrait mattes were left out.",
  },
  "Apple's depth map": {
    file: async () => pair(await jpeg(), await apple("disparity")),
    lost: "The depth map was left out.",
  },
  "Google's depth map": {
    file: async () => {
      const map = await second();
      const xmp = xmpPacket(directoryOf({ semantic: "Depth", bytes: map.length }));
      return Buffer.concat([withSegments(await jpeg(), xmp), map]);
    },
    lost: "The depth map was left out.",
  },
  "a depth map in XMP": {
    file: async () =>
      withSegments(
        await jpeg(),
        xmpSegment('xmlns:GDepth="http://ns.google.com/photos/1.0/depthmap/" GDepth:Format="RangeInverse"'),
      ),
    lost: "The depth map was left out.",
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
    lost: "The film of the motion photo was left out.",
  },
  "Samsung's film": {
    file: async () => Buffer.concat([await jpeg(), samsungTrailer]),
    lost: "The film of the motion photo was left out.",
  },
  "a second picture": {
    file: async () => pair(await jpeg(), await second(), { type: 0x020002 }),
    lost: "The second picture in the file was left out.",
  },
  "two more pictures": {
    file: async () => Buffer.concat([await jpeg(), await second(), Buffer.alloc(200), await second()]),
    lost: "2 further pictures in the file were left out.",
  },
  "content credentials": {
    file: async () => withSegments(await jpeg(), segment(0xeb, manifest)),
    lost: "Content credentials (C2PA) were left out: they vouch for the original file only.",
  },
  "unknown data": {
    file: async () => Buffer.concat([await jpeg(), Buffer.alloc(300, 0x55)]),
    lost: "Data after the end of the picture was left out.",
  },
};

/** JPEG files of which nothing is lost that a person would miss. */
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

/** The box of an auxiliary image is as long for one kind as for another. */
function auxiliary(type: string): Buffer {
  const file = Buffer.from(heicFile({ hasMatte: true }));
  const alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha";
  file.write(type.padEnd(alpha.length, "\0"), file.indexOf(alpha), "latin1");
  return file;
}

/** A file whose first item is the description of a tone-mapped picture, and not a picture. */
function withToneMap(file: Uint8Array): Buffer {
  const copy = Buffer.from(file);
  copy.write("tmap", copy.indexOf("hvc1", copy.indexOf("infe")), "latin1");
  return copy;
}

/** An AVIF with a gain map by ISO 21496-1, as far as its header goes. */
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

const c2paBox = heifBox("uuid", Buffer.from("d8fec3d61b0e483c92975828877ec481", "hex"), manifest);
const lostCredentials = "Content credentials (C2PA) were left out: they vouch for the original file only.";

/** Files of other formats with something besides their picture. */
export const otherCarriers: Record<string, { file: () => Promise<Buffer> | Buffer; lost: string }> = {
  "a HEIC with Apple's gain map": {
    file: () => auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"),
    lost: "The HDR gain map was left out.",
  },
  "a HEIC with a tone-mapped picture": {
    file: () => withToneMap(heicFile({ hasSecond: true })),
    lost: "The HDR gain map was left out.",
  },
  "a HEIC with a depth map": {
    file: () => auxiliary("urn:mpeg:hevc:2015:auxid:2"),
    lost: "The depth map was left out.",
  },
  "a HEIC with a matte": {
    file: () => auxiliary("urn:com:apple:photo:2018:aux:skinmatte"),
    lost: "The portrait mattes were left out.",
  },
  "a HEIC with a film": {
    file: () => Buffer.concat([heicFile(), heifBox("mpvd", film)]),
    lost: "The film of the motion photo was left out.",
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
    lost: "The layers were left out: only the flattened picture is read.",
  },
};
