import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePixelModel } from "../../../../imaging/src/testing/onnx-model.ts";
import { startTestApp, type TestApp, type TestCaller } from "../../testing/harness.ts";
import { samplePng } from "../../testing/pictures.ts";

let app: TestApp;
let person: TestCaller;
let key: string;
const models = mkdtempSync(join(tmpdir(), "tintype-no-models-"));
beforeAll(async () => {
  app = await startTestApp({ environment: { TINTYPE_MODELS: models } });
  person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "Moved in", scopes: ["process"] } });
  ({ key } = (await made.json()) as { key: string });
});
afterAll(async () => {
  await app.close();
  rmSync(models, { recursive: true, force: true });
});

const path = "/api/remove.bg/v1.0";
const form = (fields: Record<string, string>, hasFile = true) => {
  const made = new FormData();
  if (hasFile) made.append("image_file", new Blob([new Uint8Array(samplePng(40, 30))]), "a.png");
  for (const [name, value] of Object.entries(fields)) made.append(name, value);
  return made;
};
const send = async (body: FormData | URLSearchParams | string, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${app.baseUrl}${path}/removebg`, {
    method: "POST",
    headers: { "x-api-key": key, ...headers },
    body,
  });
  return { status: answer.status, body: (await answer.json()) as { errors: { code: string; detail: string }[] } };
};

test("every way to send a picture reaches the work", async () => {
  const base64 = Buffer.from(samplePng(40, 30)).toString("base64");
  // A server without the models reports that only after reading and validating the whole request.
  for (const sent of [
    send(form({ size: "auto", type: "person", format: "jpg", bg_color: "81d4fa", crop: "true", crop_margin: "10%" })),
    send(new URLSearchParams({ image_file_b64: base64, roi: "0 0 20px 20px", channels: "alpha" })),
    send(JSON.stringify({ image_file_b64: base64, size: "preview", crop: false }), {
      "content-type": "application/json",
    }),
  ])
    expect(await sent).toMatchObject({ status: 503, body: { errors: [{ code: "not_installed" }] } });
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
});

test.each([
  [{ size: "huge" }, 'There is no size "huge".'],
  [{ type: "spaceship" }, 'There is no type "spaceship".'],
  [{ format: "zip" }, "format is auto, png, jpg or webp; zip is not supported here."],
  [{ bg_color: "81d4fa77" }, "A semi-transparent bg_color is not supported."],
  [{ bg_color: "whitish" }, "The background must be transparent or a colour such as white or #ffffff."],
  [{ bg_image_url: "https://a.example/b.png" }, "bg_image_url is not supported here."],
  [{ crop: "true", crop_margin: "10px" }, "crop_margin is one percentage here, 0% to 50%."],
  [{ roi: "0% 0% 50% 50%" }, "roi is four numbers of pixels here: x1 y1 x2 y2."],
  [{ scale: "80%" }, "scale is not supported here."],
  [{ position: "10% 10%" }, "position is not supported here."],
  [{ add_shadow: "true" }, "add_shadow is not supported here."],
  [{ channels: "rgb" }, "channels is rgba or alpha."],
  [{ crop: "yes" }, "crop is true or false."],
  [{ add_shadow: "on" }, "add_shadow is true or false."],
  [{ size: "constructor" }, 'There is no size "constructor".'],
  [{ type: "toString" }, 'There is no type "toString".'],
])("%j is refused with a sentence, and not left out of the result", async (fields, detail) => {
  expect(await send(form(fields))).toMatchObject({
    status: 400,
    body: { errors: [{ code: "invalid_parameters", detail }] },
  });
});

test("two pictures in one call are refused: the response has room for one", async () => {
  const base64 = Buffer.from(samplePng(40, 30)).toString("base64");
  const twice = form({});
  twice.append("image_file", new Blob([new Uint8Array(samplePng(40, 30))]), "b.png");
  for (const body of [twice, form({ image_file_b64: base64 }), form({ image_url: "https://a.example/b.png" })])
    expect(await send(body)).toMatchObject({ status: 400, body: { errors: [{ code: "multiple_sources" }] } });
});

test("a picture in base64 that is larger than the plan allows is refused, and one within it is not", async () => {
  const large = (bytes: number) => Buffer.concat([samplePng(40, 30), Buffer.alloc(bytes)]).toString("base64");
  const json = { "content-type": "application/json" };
  const shown = { status: 503, body: { errors: [{ code: "not_installed" }] } };
  expect(await send(JSON.stringify({ image_file_b64: large(20e6), size: "auto" }), json)).toMatchObject(shown);
  expect(await send(new URLSearchParams({ size: "auto", image_file_b64: large(20e6) }))).toMatchObject(shown);
  for (const answer of [
    await send(JSON.stringify({ image_file_b64: large(26e6) }), json),
    await send(new URLSearchParams({ image_file_b64: large(26e6) })),
  ])
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: "file_size_too_large" }] } });
});

test.each([["null"], ["[]"], ['{"image_file_b64":"aGk=","size":["preview"]}'], ['{"size":{"toString":1}}']])(
  "the JSON body %s is invalid",
  async (body) => {
    expect(await send(body, { "content-type": "application/json" })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid_parameters", detail: expect.stringMatching(/[.]$/) }] },
    });
  },
);

test("a missing picture, a missing key and an account have remove.bg's shapes", async () => {
  expect(await send(form({}, false))).toMatchObject({ status: 400, body: { errors: [{ code: "missing_source" }] } });
  expect(await send(form({}), { "x-api-key": "wrong" })).toMatchObject({
    status: 403,
    body: { errors: [{ code: "auth_failed", detail: expect.stringContaining("Send an API key of this server") }] },
  });
  const account = await fetch(`${app.baseUrl}${path}/account`, { headers: { "x-api-key": key } });
  expect(await account.json()).toMatchObject({ data: { attributes: { credits: { total: 100, subscription: 100 } } } });
});

test("a cut-out comes as the picture or as JSON, for one credit", async () => {
  const side = 256;
  const path = join(models, "red.onnx");
  await writePixelModel(path, {
    weights: [[1.4, -0.7, -0.7]],
    bias: [0],
    activation: "Clip",
    height: side,
    width: side,
  });
  const size = { kind: "fixed", heightPx: side, widthPx: side };
  const input = { name: "input", size, mean: [128, 128, 128], deviation: [256, 256, 256] };
  const file = join(models, "models.json");
  writeFileSync(file, JSON.stringify({ background: { source: { kind: "file", path }, input, memoryMb: 50 } }));
  const able = await startTestApp({ environment: { TINTYPE_MODELS_FILE: file } });
  try {
    const caller = await able.person();
    const made = await caller.call("/api/keys", { json: { name: "Moved in", scopes: ["process"] } });
    const { key: ownKey } = (await made.json()) as { key: string };
    const drawing = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="100%" height="100%" fill="#ddd"/><circle cx="260" cy="150" r="60" fill="#e61e1e"/></svg>',
    );
    const picture = await sharp(drawing).removeAlpha().png().toBuffer();
    const cut = (fields: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = form(fields, false);
      body.append("image_file", new Blob([new Uint8Array(picture)]), "a.png");
      return fetch(`${able.baseUrl}/api/remove.bg/v1.0/removebg`, {
        method: "POST",
        headers: { "x-api-key": ownKey, ...headers },
        body,
      });
    };
    const jpeg = await cut({ format: "jpg", bg_color: "00ff00" });
    expect([jpeg.status, jpeg.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(["x-width", "x-height", "x-credits-charged"].map((name) => jpeg.headers.get(name))).toEqual([
      "400",
      "300",
      "1",
    ]);
    const [red = 255, green = 0] = await sharp(await jpeg.bytes())
      .raw()
      .toBuffer();
    expect([red < 20, green > 235]).toEqual([true, true]);
    const json = await cut({ size: "preview", crop: "true" }, { accept: "application/json" });
    const { data } = (await json.json()) as { data: { result_b64: string } };
    const small = await sharp(Buffer.from(data.result_b64, "base64")).metadata();
    expect([small.format, small.hasAlpha, small.width < 140]).toEqual(["png", true, true]);
    expect(await (await caller.call("/api/user-info")).json()).toMatchObject({ service_count: 2 });
  } finally {
    await able.close();
  }
});
