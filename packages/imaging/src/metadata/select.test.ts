import { exifOrientation, type MetadataGroup, metadataChoices, type Note } from "@tintype/contract";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import { numbersEntry, writeDirectory } from "../raster/write-directory.ts";
import { cpuMs } from "../testing/cpu-ms.ts";
import {
  imageResources,
  iptcDataset,
  noisePicture,
  secretsIn,
  withCamera,
  xmpOfAgency,
} from "../testing/metadata-pictures.ts";
import { directoriesOf, isCameraName, readExif } from "./exif.ts";
import { iptcAmongResources, readIptc } from "./iptc.ts";
import { describeMetadata, joinMetadataNotes } from "./note.ts";
import { selectFields, writeBlocks } from "./select.ts";
import { readXmp, writeXmp } from "./xmp.ts";

const exifOf = async () => {
  const { exif } = await sharp(await withCamera(noisePicture()).jpeg().toBuffer()).metadata();
  return exif?.subarray(6) ?? Buffer.alloc(0);
};
const textsOf = (fields: ReturnType<typeof readExif>["fields"]) =>
  fields
    .filter(({ type }) => type === 2)
    .map(({ tag, bytes }): [number, string] => [tag, Buffer.from(bytes).toString("utf8", 0, bytes.length - 1)]);

test("copyright keeps who made it, whose it is and when, and nothing else of EXIF", async () => {
  const { sets, found } = selectFields({ exif: await exifOf() }, "copyright");
  expect(new Map(textsOf([...(sets[0]?.exif ?? [])]))).toEqual(
    new Map([
      [315, "Ada Photographer"],
      [33432, "Copyright Ada 2026"],
      [36867, "2026:05:01 10:20:30"],
    ]),
  );
  expect(describeMetadata(found, sets[0])).toEqual({
    code: "metadata",
    kept: ["copyright", "creator", "date"],
    removed: ["camera", "camera-settings", "location", "serial-numbers", "owner-name", "description"],
  });
});

test("all-but-place keeps the camera and its settings too", async () => {
  const { sets } = selectFields({ exif: await exifOf() }, "all-but-place");
  const tags = sets[0]?.exif.map(({ tag }) => tag) ?? [];
  expect(tags).toEqual(expect.arrayContaining([271, 272, 33434, 33437, 42036, 315]));
  expect(tags.filter((tag) => [34853, 37500, 42032, 42033, 42037, 270, 274, 37510].includes(tag))).toEqual([]);
});

test("a block of the other order of bytes is read as well", async () => {
  const { fields } = readExif(await exifOf());
  const { image, photo } = directoriesOf(fields);
  const layout = { isLittle: false, isBig: false };
  const photoAt = 8 + writeDirectory([...image, numbersEntry(34665, "long", [0])], { ...layout, at: 8 }).length;
  const big = Buffer.concat([
    Buffer.from([0x4d, 0x4d, 0, 42, 0, 0, 0, 8]),
    writeDirectory([...image, numbersEntry(34665, "long", [photoAt])], { ...layout, at: 8 }),
    writeDirectory(photo, { ...layout, at: photoAt }),
  ]);
  const inOrder = (some: typeof fields) => [...some].sort((a, b) => a.tag - b.tag);
  expect(inOrder(readExif(big).fields)).toEqual(inOrder(fields));
});

test("none keeps nothing", async () => {
  const { sets, found } = selectFields({ exif: await exifOf(), xmp: Buffer.from(xmpOfAgency) }, "none");
  expect(sets).toEqual([]);
  expect(describeMetadata(found, undefined)).toMatchObject({
    kept: [],
    removed: expect.arrayContaining(["copyright", "creator", "licence", "credit-line", "date", "camera"]),
  });
});

test("a written block is read as it was, with the orientation that it was given", async () => {
  const exif = await exifOf();
  const { sets } = selectFields({ exif }, "all-but-place");
  const fresh = writeBlocks(sets[0] ?? { exif: [], xmp: [] }, 6).exif ?? Buffer.alloc(0);
  expect(secretsIn(fresh)).toEqual([]);
  const again = readExif(fresh);
  const inOrder = (fields: readonly { tag: number }[]) => [...fields].sort((a, b) => a.tag - b.tag);
  expect(inOrder(again.fields)).toEqual(inOrder(sets[0]?.exif ?? []));
  expect(exifOrientation(fresh)).toBe(6);
});

test("XMP keeps the same, and its dates lose their zone", () => {
  const { fields, groups } = readXmp(Buffer.from(xmpOfAgency));
  expect(Object.fromEntries(fields.map(({ name, values }) => [name, values]))).toEqual({
    "dc:creator": ["Ada Photographer", "Ben Editor"],
    "dc:rights": ["© Ada"],
    "xmpRights:WebStatement": ["https://example.org/licence"],
    "photoshop:Credit": ["Agency & Sons"],
    "photoshop:DateCreated": ["2026-05-01T10:20:30"],
  });
  expect([...groups]).toEqual(expect.arrayContaining(["location", "serial-numbers", "description"]));
  expect(readXmp(writeXmp(fields) ?? Buffer.alloc(0)).fields).toEqual(fields);
  expect(secretsIn(writeXmp(fields) ?? Buffer.alloc(0))).toEqual([]);
});

test("a licence of Creative Commons and one of PLUS stay", () => {
  const { fields } = readXmp(
    Buffer.from(
      `<rdf:Description><cc:license rdf:resource="https://creativecommons.org/licenses/by/4.0/"/><plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource"><plus:LicensorURL>https://example.org/buy?a=1&amp;b=2</plus:LicensorURL></rdf:li></rdf:Seq></plus:Licensor></rdf:Description>`,
    ),
  );
  expect(fields.map(({ name, values }) => [name, values])).toEqual([
    ["cc:license", ["https://creativecommons.org/licenses/by/4.0/"]],
    ["plus:LicensorURL", ["https://example.org/buy?a=1&b=2"]],
  ]);
  expect(readXmp(writeXmp(fields) ?? Buffer.alloc(0)).fields).toEqual(fields);
});

test("IPTC records stay as XMP, where the XMP does not say it already", () => {
  const iptc = Buffer.concat([
    iptcDataset(80, "Ada"),
    iptcDataset(80, "Ben"),
    iptcDataset(116, "© Agency"),
    iptcDataset(110, "Agency"),
    iptcDataset(55, "20260501"),
    iptcDataset(90, "A-SECRET-CITY"),
    iptcDataset(120, "A-SECRET-CAPTION"),
  ]);
  const { fields, groups } = readIptc(iptcAmongResources(imageResources(iptc)) ?? Buffer.alloc(0));
  expect(Object.fromEntries(fields.map(({ name, values }) => [name, values]))).toEqual({
    "dc:creator": ["Ada", "Ben"],
    "dc:rights": ["© Agency"],
    "photoshop:Credit": ["Agency"],
    "photoshop:DateCreated": ["2026-05-01"],
  });
  expect([...groups]).toEqual(expect.arrayContaining(["location", "description"]));
  const { sets } = selectFields({ iptc, xmp: Buffer.from(xmpOfAgency) }, "copyright");
  expect(sets[0]?.xmp.find(({ name }) => name === "dc:rights")?.values).toEqual(["© Ada"]);
});

const blocksOfAll = async () => ({
  exif: await exifOf(),
  xmp: Buffer.from(xmpOfAgency),
  resources: imageResources(Buffer.concat([iptcDataset(80, "Ada"), iptcDataset(90, "A-SECRET-CITY")])),
});
const choices = fc.constantFrom(...metadataChoices);

function keptOf(exif: Uint8Array, xmp: Uint8Array, resources: Uint8Array, choice: (typeof metadataChoices)[number]) {
  const iptc = iptcAmongResources(resources);
  const { sets } = selectFields({ exif, xmp, iptc }, choice);
  const blocks = sets.flatMap((set) => Object.values(writeBlocks(set)));
  return Buffer.concat(blocks.filter((block) => block !== undefined));
}

test("a block that is cut gives what is whole in it, and nothing that goes", async () => {
  const { exif, xmp, resources } = await blocksOfAll();
  const cut = (whole: Buffer) => fc.nat(whole.length).map((end) => whole.subarray(0, end));
  fc.assert(
    fc.property(cut(exif), cut(xmp), cut(resources), choices, (a, b, c, choice) => {
      expect(secretsIn(keptOf(a, b, c, choice))).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});

// A tag overwritten with another one counts as that tag: part of a caption may then appear as the artist's name.
test("a block that is overwritten never fails, and never gives the place", async () => {
  const { exif, xmp, resources } = await blocksOfAll();
  const overwritten = (whole: Buffer) =>
    fc.oneof(
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }) },
      {
        weight: 5,
        arbitrary: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 }).map((changes) => {
          const copy = Buffer.from(whole);
          for (const [at, value] of changes) copy[at] = value;
          return copy;
        }),
      },
    );
  fc.assert(
    fc.property(overwritten(exif), overwritten(xmp), overwritten(resources), choices, (a, b, c, choice) => {
      const kept = keptOf(a, b, c, choice);
      // The name of a field may end up in its neighbour's value, where a quotation mark was overwritten. What it says may not.
      expect(secretsIn(kept)).not.toContain("the latitude");
      expect(kept.includes("51,30.5N")).toBe(false);
    }),
    { numRuns: 3000 },
  );
});

test("a block that is made to take long takes no time", async () => {
  const opened = Buffer.from(`<dc:creator>${"<rdf:li>".repeat(100_000)}${"<dc:rights>".repeat(50_000)}`);
  const taken = await cpuMs(() => {
    readXmp(opened);
    readXmp(Buffer.from(` dc:rights${" ".repeat(900_000)}`));
    readXmp(Buffer.from(" dc:rights".repeat(90_000)));
  });
  expect(taken).toBeLessThan(5000);
});

test("the notes of two steps are one: what the last one kept, and what either removed", () => {
  const note = (kept: MetadataGroup[], removed: MetadataGroup[] = []): Note => ({ code: "metadata", kept, removed });
  const [one, other]: [Note, Note] = [{ code: "depth-map-left-out" }, { code: "credentials-left-out" }];
  expect(joinMetadataNotes([note(["creator", "camera"], ["location"])], [note(["creator"]), other])).toEqual([
    other,
    note(["creator"], ["location"]),
  ]);
  expect(joinMetadataNotes([note(["creator"], ["location"])], [note([], ["creator"])])).toEqual([
    note([], ["creator", "location"]),
  ]);
  expect(joinMetadataNotes([one], [other])).toEqual([one, other]);
});

test.each([
  ["Canon", true],
  ["Canon EOS R6m2", true],
  ["EF24-70mm f/2.8L II USM", true],
  ["NIKON Z 9", true],
  ["Apple iPhone 16 Pro Max back triple camera 6.765mm f/1.78", true],
  ["OLYMPUS M.12-40mm F2.8", true],
  ['prompt:{"3": {"class_type": "KSampler"}}', false],
  ['workflow:{"nodes": []}', false],
  ["/home/ada/models/secret.safetensors", false],
  ["C:\\Users\\ada\\secret.ckpt", false],
  ["a photograph of a person who is walking through a street in the rain at night, 35 mm, masterpiece", false],
  ["Steps: 20, Sampler: Euler a", false],
])("a prompt is no camera: %s", (text, isCamera) => {
  expect(isCameraName(text)).toBe(isCamera);
});
