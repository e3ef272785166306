import sharp, { type Sharp } from "sharp";

/** Texts that tests search for in a result. */
const secrets = {
  place: ["A-SECRET-CITY", "A-SECRET-COUNTRY"],
  always: ["A-SECRET-SERIAL", "A-SECRET-OWNER", "A-SECRET-NOTE", "A-SECRET-CAPTION"],
};

/** 51 degrees and 30 minutes as EXIF rationals, in both byte orders. */
const latitudes = ["33000000010000001e00000001000000", "00000033000000010000001e00000001"].map((hex) =>
  Buffer.from(hex, "hex"),
);

/** The secrets that a file still contains, which no metadata choice keeps. */
export function secretsIn(bytes: Uint8Array): string[] {
  const all = Buffer.from(bytes);
  const words = [...secrets.place, ...secrets.always, "exif:GPS"].filter((word) => all.includes(word));
  return latitudes.some((latitude) => all.includes(latitude)) ? [...words, "the latitude"] : words;
}

const exifOfCamera = {
  IFD0: {
    Artist: "Ada Photographer",
    Copyright: "Copyright Ada 2026",
    ImageDescription: "A-SECRET-CAPTION",
    Make: "A-CAMERA-MAKE",
    Model: "A-CAMERA-MODEL",
  },
  IFD2: {
    DateTimeOriginal: "2026:05:01 10:20:30",
    ExposureTime: "1/250",
    FNumber: "28/10",
    LensModel: "A-LENS",
    BodySerialNumber: "A-SECRET-SERIAL",
    CameraOwnerName: "A-SECRET-OWNER",
    UserComment: "A-SECRET-NOTE",
  },
  IFD3: {
    GPSLatitudeRef: "N",
    GPSLatitude: "51/1 30/1 3230/100",
    GPSLongitudeRef: "W",
    GPSLongitude: "0/1 7/1 4366/100",
  },
};

export const xmpOfAgency = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
 xmlns:xmpRights="http://ns.adobe.com/xap/1.0/rights/" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
 photoshop:Credit="Agency &amp; Sons" photoshop:City="A-SECRET-CITY" photoshop:DateCreated="2026-05-01T10:20:30+02:00"
 xmpRights:WebStatement="https://example.org/licence" exif:GPSLatitude="51,30.5N" aux:SerialNumber="A-SECRET-SERIAL">
<dc:creator><rdf:Seq><rdf:li>Ada Photographer</rdf:li><rdf:li>Ben Editor</rdf:li></rdf:Seq></dc:creator>
<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Ada</rdf:li></rdf:Alt></dc:rights>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">A-SECRET-CAPTION</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta>`;

/** Noise of 96 x 64 px. */
export const noisePicture = (): Sharp =>
  sharp(
    Uint8Array.from(
      { length: 96 * 64 * 3 },
      (_, i) => Math.imul(Math.imul(i + 1, 0x9e3779b1) >>> 15, 0x85ebca6b) >>> 24,
    ),
    { raw: { width: 96, height: 64, channels: 3 } },
  );

export const withCamera = (image: Sharp): Sharp => image.withExif(exifOfCamera).withXmp(xmpOfAgency);

/** An IPTC-IIM dataset of record 2. */
export const iptcDataset = (dataset: number, text: string): Buffer => {
  const data = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x1c, 2, dataset, data.length >> 8, data.length & 255]), data]);
};

/** Photoshop image resources: a resource with a name of odd length, then an IPTC block. */
export function imageResources(iptc: Uint8Array): Buffer {
  const resource = (id: number, name: string, data: Uint8Array) => {
    const head = Buffer.alloc(6);
    head.write("8BIM", "latin1");
    head.writeUInt16BE(id, 4);
    const named = Buffer.concat([Buffer.from([name.length]), Buffer.from(name, "latin1")]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const even = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(bytes.length & 1)]);
    return Buffer.concat([head, even(named), size, even(data)]);
  };
  return Buffer.concat([resource(0x03ed, "ab", Buffer.from([1, 2, 3])), resource(iptcResource, "", iptc)]);
}
const iptcResource = 0x0404;

/** Inserts an APP13 segment of image resources after SOI. */
export function withIptc(jpeg: Uint8Array, iptc: Uint8Array): Buffer {
  const data = Buffer.concat([Buffer.from("Photoshop 3.0\0", "latin1"), imageResources(iptc)]);
  const head = Buffer.from([0xff, 0xed, (data.length + 2) >> 8, (data.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}
