import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSource } from "../formats/open-source.ts";
import type { ModelOverride } from "../model/config.ts";
import { createModels } from "../model/session.ts";
import { decodeToFile } from "../raster/picture-file.ts";
import { writePixelModel } from "../testing/onnx-model.ts";
import { confidenceOf } from "./confidence.ts";
import { findMatte, type MattePass } from "./find-matte.ts";
import { type ProfileName, profiles } from "./profiles.ts";

// Stand-in models: the large one detects red, those for people detect red and blue.
const side = 256;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "finding-"));
  const size = { height: side, width: side, bias: [0] };
  await writePixelModel(join(folder, "red.onnx"), { ...size, weights: [[2, -1, -1]], activation: "Clip" });
  await writePixelModel(join(folder, "red-or-blue.onnx"), { ...size, weights: [[2, -2, 2]], activation: "Clip" });
  // A faint red is certain.
  await writePixelModel(join(folder, "faint-red.onnx"), {
    ...size,
    weights: [[10, 0, 0]],
    bias: [-0.2],
    activation: "Clip",
  });
  // Of inputs 0..1, for the darkened pass: bright red gives an uncertain output, darkened red a certain one.
  await writePixelModel(join(folder, "dark-red.onnx"), {
    ...size,
    weights: [[4, -6.7, 0]],
    bias: [0],
    activation: "Clip",
  });
});
afterAll(() => rm(folder, { recursive: true }));

const place = (file: string): ModelOverride => ({
  source: { kind: "file", path: join(folder, file) },
  input: {
    name: "input",
    size: { kind: "fixed", heightPx: side, widthPx: side },
    mean: [0, 0, 0],
    deviation: [255, 255, 255],
  },
  output: { name: "output", channels: 1, scale: 1, range: [0, 1] },
  memoryMb: 20,
});

type Finding = { drawing: string; sidePx?: number; profile?: ProfileName; network?: string; person?: string };

async function find({ drawing, sidePx = side, profile = "auto_rembg", network = "red.onnx", person }: Finding) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${sidePx}" height="${sidePx}"><rect width="100%" height="100%"/>${drawing}</svg>`;
  const path = join(folder, "picture.png");
  await sharp(Buffer.from(svg)).png().toFile(path);
  const source = await openSource(path, { megapixelsIn: 5, megapixelsOut: 5 });
  const work = await decodeToFile(source.read({ colour: "own" }).ensureAlpha(), join(folder, "work"));
  const people = place(person ?? "missing.onnx");
  const said: string[] = [];
  const models = createModels(
    { overrides: { background: place(network), person: people, "person-landscape": people } },
    { log: (line) => said.push(line) },
  );
  const passes: MattePass[] = [];
  try {
    const found = await findMatte(work, {
      source,
      models,
      profile: profiles[profile],
      signal: new AbortController().signal,
      onPass: (pass) => passes.push(pass),
    });
    const share = found.matte.values.filter((value) => value > 0.5).length / found.matte.values.length;
    return { share, passes, said, personOverlap: found.personOverlap, confidence: confidenceOf(found) };
  } finally {
    work.remove();
    await models.close();
  }
}

const redHead = '<rect x="96" y="20" width="64" height="80" fill="#f00"/>';
const blueShirt = '<rect x="56" y="100" width="144" height="60" fill="#00f"/>';
const headAlone = (64 * 80) / side ** 2;
const both = headAlone + (144 * 60) / side ** 2;

test("people are found whole where the networks that know people are there, and products are left to the large one", async () => {
  const asked = { drawing: redHead + blueShirt, person: "red-or-blue.onnx" };
  const person = await find(asked);
  expect(person.share).toBeCloseTo(both, 2);
  expect(person.personOverlap).toBeGreaterThan(0.95);
  expect((await find({ ...asked, profile: "portrait_pro" })).share).toBeCloseTo(both, 2);
  const product = await find({ ...asked, profile: "product_pro" });
  expect(product.share).toBeCloseTo(headAlone, 2);
  expect(product.personOverlap).toBeUndefined();
});

test("a person who is small in the picture is asked about from near, unless the person goes on beyond", async () => {
  // Dark blue gives one half in the person models: on the whole picture they are uncertain.
  const doubtful = '<rect x="150" width="106" height="256" fill="#000040"/>';
  const small = '<rect x="10" y="10" width="64" height="80" fill="#f00"/>';
  const shirt = (height: number) => `<rect x="10" y="90" width="64" height="${height}" fill="#00f"/>`;
  const asked = { person: "red-or-blue.onnx" };
  const shared = (height: number) => (64 * (80 + height)) / side ** 2;
  expect((await find({ ...asked, drawing: doubtful + small + shirt(14) })).share).toBeCloseTo(shared(14), 2);
  expect((await find({ ...asked, drawing: doubtful + small + shirt(90) })).share).toBeCloseTo(shared(0), 2);
  // Without the uncertain part, the output for the whole picture is used.
  expect((await find({ ...asked, drawing: small + shirt(90) })).share).toBeCloseTo(shared(90), 2);
});

test("without the networks that know people the large one works alone, and one line says so", async () => {
  const { share, said } = await find({ drawing: redHead + blueShirt });
  expect(share).toBeCloseTo(headAlone, 2);
  expect(said).toEqual([expect.stringContaining("Going on without a model")]);
});

test("a darkened pass takes the place of a doubtful one where it is surer and finds more of the person", async () => {
  // 4 * 1 - 6.7 * 0.55 is 0.3: uncertain. At 0.55 ^ 2.2 it is certain.
  const pale = '<rect x="56" y="60" width="144" height="140" fill="rgb(255,140,255)"/>';
  const asked = { network: "dark-red.onnx", person: "red-or-blue.onnx" };
  const { share, passes } = await find({ ...asked, drawing: pale + redHead });
  expect(passes).toEqual(["first", "darker"]);
  expect(share).toBeCloseTo((144 * 140 + 64 * 40) / side ** 2, 2);
  expect((await find({ ...asked, drawing: redHead })).passes).toEqual(["first"]);
  expect((await find({ ...asked, drawing: pale + redHead, profile: "product_pro" })).passes).toEqual(["first"]);
});

test("a closer pass that sees the subject in pieces does not take the place of the first one, and one that sees a part of it does", async () => {
  // From afar a red area, up close thin stripes on black.
  const stripes = (red: number) =>
    Array.from(
      { length: 24 },
      (_, stripe) => `<rect x="${800 + 8 * stripe}" y="800" width="1" height="192" fill="rgb(${red},0,0)"/>`,
    ).join("");
  const asked = { sidePx: 2048, network: "faint-red.onnx" };
  const share = 192 ** 2 / 2048 ** 2;
  const sure = await find({ ...asked, drawing: stripes(255) });
  expect(sure.passes).toEqual(["first", "closer"]);
  expect(sure.share).toBeCloseTo(share, 3);
  expect(sure.confidence).toBeGreaterThan(0.9);
  // Darker, the area is uncertain and the stripes are not.
  expect((await find({ ...asked, drawing: stripes(180) })).share).toBeCloseTo(share, 3);
  const joined = '<rect x="800" y="895" width="185" height="1" fill="rgb(180,0,0)"/>';
  const comb = await find({ ...asked, drawing: stripes(180) + joined });
  expect(comb.share).toBeGreaterThan(0.1);
  expect(comb.confidence).toBeLessThan(0.5);
});
