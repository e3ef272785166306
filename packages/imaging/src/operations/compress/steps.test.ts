import sharp from "sharp";
import { expect, test } from "vitest";
import { withLossMark } from "../../formats/loss-mark.ts";
import type { Source } from "../../formats/open-source.ts";
import { stripMetadata } from "../../formats/strip-metadata.ts";
import { chooseResult, isCompressed, markLoss } from "../compress.ts";
import type { Request } from "./encode.ts";
import { minGain } from "./min-gain.ts";
import { type Candidate, readOriginal } from "./original.ts";

const [width, height] = [40, 30];
const picture = () => sharp({ create: { width, height, channels: 3, background: "#c33" } });
const pngOfPixels = async () => stripMetadata(await picture().png().toBuffer(), "png").bytes;
const withText = async () =>
  picture()
    .withExif({ IFD0: { Copyright: "A-SECRET" } })
    .png()
    .toBuffer();

type Asked = { quality?: number; max_bytes?: number };

function requestFor(bytes: Uint8Array, options: Asked, isStandIn = false): Request {
  const source: Source = {
    format: "png",
    width,
    height,
    sizeBytes: bytes.length,
    pages: 1,
    isAnimated: false,
    hasAlpha: false,
    isGrey: false,
    hasProfile: false,
    depth: 8,
    notes: [],
    read: () => sharp(bytes),
  };
  return {
    source,
    original: readOriginal(source, bytes),
    isStandIn,
    options: { min_quality: 1, allow_resize: false, metadata: "none", ...options },
    task: {
      name: "compress",
      options,
      input: {
        path: "none",
        sizeBytes: bytes.length,
        format: "png",
        head: bytes,
        bytes: async () => Buffer.from(bytes),
        withParts: () => Promise.reject(new Error("unused")),
      },
      outputPath: "none",
      limits: { megapixelsIn: 1, megapixelsOut: 1 },
    },
    context: { signal: new AbortController().signal, progress: () => {} },
  };
}

const codedIn = (length: number): Candidate => ({ format: "png", bytes: new Uint8Array(length), notes: [] });

test("a file that compress marked is not coded again at its quality or a higher one", async () => {
  const marked = withLossMark(await pngOfPixels(), { format: "png", quality: 60 });
  const holds = (options: Asked, isStandIn?: boolean) => isCompressed(requestFor(marked, options, isStandIn));
  expect(await Promise.all([holds({ quality: 60 }), holds({ quality: 80 })])).toEqual([true, true]);
  expect(await Promise.all([holds({ quality: 59 }), holds({ quality: 100 }), holds({ max_bytes: 50 })])).toEqual([
    false,
    false,
    false,
  ]);
  expect(await holds({ quality: 60 }, true)).toBe(false);
});

test("a mark that the rest of the file does not confirm counts for nothing", async () => {
  const marked = withLossMark(await pngOfPixels(), { format: "png", quality: 60 });
  const other = await sharp({ create: { width, height, channels: 3, background: "#3c3" } })
    .png()
    .toBuffer();
  const iend = 12;
  const moved = Buffer.concat([
    other.subarray(0, -iend),
    marked.subarray(marked.length - iend - 17, -iend),
    other.subarray(-iend),
  ]);
  const quality = (bytes: Uint8Array) => requestFor(bytes, {}).original.markedQuality();
  expect([quality(marked), quality(moved)]).toEqual([60, undefined]);
});

test("the original is stripped once, and keeps its mark", async () => {
  const marked = withLossMark(await pngOfPixels(), { format: "png", quality: 60 });
  const { original } = requestFor(marked, {});
  expect(original.withoutMetadata()).toBe(original.withoutMetadata());
  expect(original.withoutMetadata().bytes).toEqual(marked);
});

test("only a result with loss, made for a quality, is marked with it", () => {
  const coded = { ...codedIn(60), format: "png" } as const;
  const marked = markLoss(coded, requestFor(coded.bytes, { quality: 40 }).options);
  expect(marked.bytes.length).toBeGreaterThan(coded.bytes.length);
  for (const options of [{ quality: 100 }, {}, { quality: 40, max_bytes: 9 }])
    expect(markLoss(coded, requestFor(coded.bytes, options).options)).toBe(coded);
  const jpeg: Candidate = { ...coded, format: "jpeg" };
  expect(markLoss(jpeg, requestFor(coded.bytes, { quality: 40 }).options)).toBe(jpeg);
});

test("a loss has to save its share of the original without its metadata", async () => {
  const bytes = await withText();
  const request = requestFor(bytes, { quality: 75 });
  const stripped = request.original.withoutMetadata();
  expect(stripped.bytes.length).toBeLessThan(bytes.length);
  const density = 21; // its chunk, which a result gets too
  const enough = codedIn(Math.floor(stripped.bytes.length * (1 - minGain("png", { quality: 75 }))) - density - 1);
  expect(await chooseResult(request, enough)).toBe(enough);
  const tooLittle = await chooseResult(request, codedIn(stripped.bytes.length - 1));
  expect(tooLittle.bytes.length).toBeLessThanOrEqual(stripped.bytes.length);
  expect(tooLittle.format).toBe("png");
  expect(await chooseResult(request, undefined)).toBe(stripped);
});

test("a stand-in is never given back: what was coded of it is the result, whatever its size", async () => {
  const bytes = await withText();
  const larger = codedIn(bytes.length * 2);
  expect(await chooseResult(requestFor(bytes, { quality: 75 }, true), larger)).toBe(larger);
});
