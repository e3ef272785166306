import { presets } from "@tintype/contract";
import { recipeSteps } from "@tintype/contract/schemas";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { heldClock, startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ clock: heldClock() });
});
afterAll(() => app.close());

const picture = { name: "photo.png", bytes: samplePng(300, 200) };
const shop = [
  { resize: { width: 120, method: "fit" } },
  { convert: { target_format: "webp", max_bytes: 20_000 } },
] as const;
const run = (caller: TestCaller, recipe: unknown, files = [picture], headers?: Record<string, string>) =>
  caller.run("recipes/run", files, { recipe: typeof recipe === "string" ? recipe : JSON.stringify(recipe) }, headers);
const problemOf = async (answer: Response) => {
  const { code, field, detail } = (await answer.json()) as { code: string; field?: string; detail: string };
  return { status: answer.status, code, field, detail };
};
const used = async (caller: TestCaller) =>
  ((await (await caller.call("/api/user-info")).json()) as { service_count: number }).service_count;

test("several steps are one job, for one credit, and the result is the last step's", async () => {
  const ann = await app.person();
  const answer = await run(ann, { name: "shop", steps: shop });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("image/webp");
  expect(answer.headers.get("content-disposition")).toContain("photo.webp");
  expect(answer.headers.get("x-credits-charged")).toBe("1");
  const { width, height } = await sharp(Buffer.from(await answer.bytes())).metadata();
  expect([width, height]).toEqual([120, 80]);
  const { jobs } = (await (await ann.call("/api/jobs")).json()) as { jobs: { steps: string[] }[] };
  expect(jobs[0]?.steps).toEqual(["resize", "convert"]);
  expect(await used(ann)).toBe(1);
});

test("nothing is lost between steps: a JPEG that is resized and converted to PNG is as the one resize of its pixels", async () => {
  const ann = await app.person();
  const jpeg = { name: "a.jpg", bytes: await sharp(Buffer.from(picture.bytes)).jpeg({ quality: 90 }).toBuffer() };
  const pixels = async (answer: Response) =>
    sharp(Buffer.from(await answer.bytes()))
      .raw()
      .toBuffer();
  const two = await pixels(await run(ann, [{ resize: { width: 90 } }, { convert: { target_format: "png" } }], [jpeg]));
  const plain = { name: "a.png", bytes: await sharp(Buffer.from(jpeg.bytes)).png().toBuffer() };
  const one = await pixels(await ann.run("resize", [plain], { width: "90" }));
  expect(two.equals(one)).toBe(true);
});

test("a last step to the format that the picture has already writes that format", async () => {
  const ann = await app.person();
  const bytes = await sharp(Buffer.from(picture.bytes)).jpeg({ quality: 90 }).toBuffer();
  for (const last of [
    [{ convert: { target_format: "jpeg" } }],
    [{ crop: { ratio: "1:1" } }, { convert: { target_format: "jpeg" } }],
  ]) {
    const answer = await run(ann, [{ resize: { width: 90 } }, ...last], [{ name: "a.jpg", bytes }]);
    expect(answer.headers.get("content-type")).toBe("image/jpeg");
    expect((await sharp(Buffer.from(await answer.bytes())).metadata()).format).toBe("jpeg");
  }
});

test.each(["jpeg", "png", "webp"] as const)(
  "a %s that is resized and converted to its own format is of that format, and fits",
  async (format) => {
    const ann = await app.person();
    const bytes = await sharp(Buffer.from(samplePng(600, 400, 3)))
      .toFormat(format)
      .toBuffer();
    const convert = { target_format: format, max_bytes: 15_000, allow_resize: true };
    const answer = await run(ann, [{ resize: { width: 300 } }, { convert }], [{ name: `a.${format}`, bytes }]);
    expect(answer.headers.get("content-type")).toBe(`image/${format}`);
    const result = Buffer.from(await answer.bytes());
    expect(result.length).toBeLessThanOrEqual(15_000);
    expect((await sharp(result).metadata()).format).toBe(format);
    expect(JSON.parse(answer.headers.get("x-report") ?? "{}")).toMatchObject({ result_bytes: result.length });
  },
);

test("a step that fails gives all of the file's credits back, and names itself", async () => {
  const ann = await app.person();
  const upscaled = [
    { upscale: { scale_factor: 2 } },
    { upscale: { scale_factor: 2 } },
    { resize: { width: 16_384, height: 16_384 } },
  ];
  const tiny = { name: "t.png", bytes: samplePng(16, 16) };
  const refused = await problemOf(await run(ann, upscaled, [tiny]));
  expect(refused).toMatchObject({
    status: 422,
    code: "too-many-pixels",
    detail: expect.stringContaining("Step 3 (resize)"),
  });
  expect(await used(ann)).toBe(0);
  expect(await (await ann.call("/api/credits/history")).json()).toMatchObject({
    lines: [{ change: "charged", files: 1, credits: 2, given_back: 2 }],
  });
});

test("a picture that cannot be made small enough is refused with the least bytes, and costs nothing", async () => {
  const ann = await app.person();
  const answer = await ann.run("compress", [{ name: "a.png", bytes: samplePng(400, 400, 3) }], { max_bytes: "150" });
  expect(await answer.json()).toMatchObject({
    status: 422,
    code: "size-unreachable",
    field: "max_bytes",
    smallest_bytes: expect.any(Number),
  });
  expect(await used(ann)).toBe(0);
});

describe("a recipe that is wrong is refused by the place of the fault, at no cost", () => {
  test.each([
    ["nothing", "", "recipe"],
    ["half a JSON", '{"steps": [', "recipe"],
    ["no steps", { steps: [] }, "recipe.steps"],
    ["seven steps", { steps: Array(7).fill({ compress: { quality: 80 } }) }, "recipe.steps"],
    ["an unknown operation", { steps: [{ resise: { width: 2 } }] }, "recipe.steps.0.resise"],
    ["an unknown option", { steps: [{ resize: { wdth: 2 } }] }, "recipe.steps.0.resize.wdth"],
    [
      "a wrong option",
      { steps: [{ resize: { width: 2 } }, { compress: { quality: 900 } }] },
      "recipe.steps.1.compress.quality",
    ],
    ["two operations in a step", { steps: [{ resize: { width: 2 }, compress: { quality: 3 } }] }, "recipe.steps.0"],
    ["options that are none", { steps: [{ resize: 3 }] }, "recipe.steps.0.resize"],
  ])("%s", async (_what, recipe, field) => {
    const ann = await app.person();
    expect(await problemOf(await run(ann, recipe))).toMatchObject({ status: 400, code: "invalid-request", field });
    expect(await used(ann)).toBe(0);
  });

  test("a misspelt operation and option come with the right ones", async () => {
    const ann = await app.person();
    expect((await problemOf(await run(ann, [{ resise: {} }]))).detail).toContain('Did you mean "resize"?');
    expect((await problemOf(await run(ann, [{ resize: { wdth: 2 } }]))).detail).toContain('Did you mean "width"?');
    expect(await problemOf(await run(ann, "no such recipe"))).toMatchObject({ status: 404, field: "recipe" });
  });
});

test("recipes are kept by name, run by it, changed and deleted, and are no other account's", async () => {
  const [ann, ben] = [await app.person(), await app.person()];
  const made = await ann.call("/api/recipes", { json: { name: "Shop", steps: shop } });
  expect(made.status).toBe(201);
  const kept = (await made.json()) as { id: string };
  expect(kept).toMatchObject({
    name: "Shop",
    preset: false,
    credits_per_file: 1,
    steps: [{ resize: { width: 120 } }, {}],
  });
  expect((await run(ann, "shop")).headers.get("content-type")).toBe("image/webp");
  expect((await run(ben, "shop")).status).toBe(404);
  for (const [method, json] of [["GET"], ["PUT", { name: "x", steps: shop }], ["DELETE"]] as const)
    expect((await ben.call(`/api/recipes/${kept.id}`, { method, ...(json ? { json } : {}) })).status).toBe(404);
  expect(await problemOf(await ann.call("/api/recipes", { json: { name: "SHOP", steps: shop } }))).toMatchObject({
    status: 409,
    field: "name",
  });
  expect(await problemOf(await ann.call("/api/recipes", { json: { name: "avatar", steps: shop } }))).toMatchObject({
    status: 409,
  });
  expect(await problemOf(await ann.call("/api/recipes", { json: { name: "{", steps: shop } }))).toMatchObject({
    status: 400,
    field: "name",
  });
  const changed = await ann.call(`/api/recipes/${kept.id}`, {
    method: "PUT",
    json: { name: "Shop", steps: [{ resize: { width: 50 } }] },
  });
  expect(await changed.json()).toMatchObject({ name: "Shop", steps: [{ resize: { width: 50 } }] });
  const listed = async (caller: TestCaller) =>
    ((await (await caller.call("/api/recipes")).json()) as { recipes: { name: string; preset: boolean }[] }).recipes;
  expect((await listed(ann)).filter(({ preset }) => !preset).map(({ name }) => name)).toEqual(["Shop"]);
  expect((await listed(app.caller())).every(({ preset }) => preset)).toBe(true);
  expect((await ann.call(`/api/recipes/${kept.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await ann.call(`/api/recipes/${kept.id}`)).status).toBe(404);
});

test("every preset is a recipe that can be run, with a source for its sizes", () => {
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
  for (const { name, source, steps } of presets) {
    expect(recipeSteps.safeParse(steps).success, name).toBe(true);
    expect(source.length, name).toBeGreaterThan(10);
  }
});

test("a preset runs by its name, and does not enlarge a smaller picture", async () => {
  const answer = await run(await app.person(), "avatar");
  expect(answer.status).toBe(200);
  expect(await sharp(Buffer.from(await answer.bytes())).metadata()).toMatchObject({
    format: "webp",
    width: 200,
    height: 200,
  });
});
