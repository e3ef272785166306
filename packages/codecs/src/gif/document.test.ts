import fc from "fast-check";
import { expect, test } from "vitest";
import { type GifFile, gifFile } from "../testing/gif-file.ts";
import { driftingPhoto, typedText } from "../testing/moving-gifs.ts";
import { framesByOurPlayer, framesOf } from "../testing/shown-frames.ts";
import { readGif } from "./document.ts";
import { shrinkGif } from "./encode/shrink.ts";

const square = { left: 0, top: 0, width: 2, height: 2, indices: [0, 1, 1, 0] };
const file: GifFile = { width: 2, height: 2, globalColours: [0xff0000, 0x0000ff], frames: [square, square] };

test("a missing end, something after it, and zeros between blocks are taken as browsers take them", () => {
  const whole = gifFile(file);
  for (const bytes of [
    gifFile({ ...file, hasTrailer: false }),
    Uint8Array.from([...whole, 1, 2, 3]),
    gifFile({ ...file, extensions: [[0, 0, 0]] }),
  ])
    expect(framesByOurPlayer(bytes)).toEqual(framesOf(file));
});

test("an empty screen has the first frame's size; a frame may reach past the canvas", () => {
  expect(readGif(gifFile({ ...file, width: 0, height: 0 }))).toMatchObject({ width: 2, height: 2 });
  const past = { ...square, left: 1, top: 1 };
  const shown = framesByOurPlayer(gifFile({ ...file, frames: [square, past] }));
  expect(shown[1]?.pixels).toEqual([0xff0000ff, 0x0000ffff, 0x0000ffff, 0xff0000ff]);
});

test("damage is refused, wherever the file is cut off or what its codes say", async () => {
  const whole = gifFile(file);
  const cases: Record<string, Uint8Array> = {
    "no pictures": gifFile({ ...file, frames: [] }),
    "no colours": gifFile({ width: 2, height: 2, frames: [square] }),
    "another name": Uint8Array.from([...whole].with(3, 0x39)),
    "a block of no kind": gifFile({ ...file, extensions: [[0x77]] }),
    "codes of 13 bits": changed(whole, { after: [0, 0, 2, 0, 2, 0, 0], to: 12 }),
    "a code of nothing known": changed(whole, { after: [0, 0, 2, 0, 2, 0, 0, 8, 7, 0, 1], to: 0xff }),
    "a frame larger than its canvas by far": gifFile({
      ...file,
      frames: [{ ...square, width: 60_000, height: 60_000 }],
    }),
  };
  for (const [name, bytes] of Object.entries(cases))
    await expect(shrinkGif(bytes, { quality: 75 }), name).rejects.toMatchObject({ code: "damaged" });
  for (let length = 0; length < whole.length - 1; length++) {
    const outcome = await shrinkGif(whole.subarray(0, length), { quality: 75 }).catch((problem: unknown) => problem);
    // Truncated between two frames, the file is valid and has fewer frames.
    if (outcome instanceof Uint8Array) expect(framesByOurPlayer(outcome)).toHaveLength(1);
    else expect(outcome).toMatchObject({ code: "damaged" });
  }
});

/** Changes the byte after the first occurrence of the sequence `after`. */
function changed(bytes: Uint8Array, { after, to }: { after: number[]; to: number }): Uint8Array {
  const at = bytes.findIndex((_, start) => after.every((value, i) => bytes[start + i] === value));
  expect(at).toBeGreaterThan(0);
  return bytes.with(at + after.length, to);
}

test("a header that claims more than a machine holds is refused before memory is taken", async () => {
  for (const [width, height] of [
    [65_535, 65_535],
    [20_000, 20_000],
  ] as const)
    await expect(shrinkGif(gifFile({ ...file, width, height }), { quality: 75 })).rejects.toMatchObject({
      code: "too-large",
    });
});

test("a hundred thousand frames are refused", () => {
  const head = gifFile({ ...file, frames: [], hasTrailer: false });
  const frame = Uint8Array.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 0]);
  const bytes = new Uint8Array(head.length + frame.length * 100_001);
  bytes.set(head);
  for (let at = head.length; at < bytes.length; at += frame.length) bytes.set(frame, at);
  expect(() => readGif(bytes)).toThrow(expect.objectContaining({ code: "too-large" }));
});

test("random damage never hangs, and ends in a GIF or in a refusal", async () => {
  const pictures = [driftingPhoto(), typedText(), gifFile(file)];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pictures),
      fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), value: fc.nat(255) }), { maxLength: 6 }),
      async (picture, changes) => {
        const bytes = picture.slice();
        // Spares the logical screen size: a corrupt one would clear a canvas of 100 megapixels a hundred times.
        for (const { at, value } of changes) bytes[10 + Math.floor(at * (bytes.length - 11))] = value;
        const outcome = await shrinkGif(bytes, { quality: 75 }).catch((problem: unknown) => problem);
        if (outcome instanceof Uint8Array) expect(outcome.length).toBeLessThanOrEqual(bytes.length);
        else expect(outcome).toMatchObject({ code: "damaged" });
      },
    ),
    { numRuns: 150 },
  );
});
