import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue, fetchModel } from "@tintype/imaging";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestFile } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const shipped = join(repository, "packages/imaging/models");
let folder: string;
let weights: string;
beforeAll(async () => {
  // Shared by all runs; `npm run verify` has already fetched them.
  weights = await fetchModel(catalogue.background, { directory: join(repository, ".tintype/models") });
  folder = await mkdtemp(join(tmpdir(), "tintype-models-"));
});
afterAll(() => rm(folder, { recursive: true }));

const drawing = (body: string) =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240">
    <defs><radialGradient id="g" cx=".4" cy=".35"><stop offset="0" stop-color="#f96"/><stop offset="1" stop-color="#812"/></radialGradient></defs>
    <rect width="100%" height="100%" fill="#cfd6da"/>${body}</svg>`);
const ball = { name: "ball.svg", bytes: drawing('<circle cx="170" cy="120" r="70" fill="url(#g)"/>') };
const square = { name: "a.png", bytes: samplePng(80, 60) };

/** With the background first, as a form may send it. */
function formOf(background: TestFile, pictures: readonly TestFile[]): FormData {
  const form = new FormData();
  form.append("background_image", new Blob([new Uint8Array(background.bytes)]), background.name);
  for (const { name, bytes } of pictures) form.append("files", new Blob([new Uint8Array(bytes)]), name);
  return form;
}

test("a background does not count as one of the batch", async () => {
  const app = await startTestApp();
  try {
    const text = { name: "a.png", bytes: new TextEncoder().encode("no picture") };
    const form = formOf(square, [text, text, text, text, text]);
    const answer = await app.caller().call("/api/remove-background/", { form });
    expect(await answer.json()).toMatchObject({ type: "/api/docs#error-nothing-succeeded" });
  } finally {
    await app.close();
  }
});

async function modelsFile(name: string, content: unknown): Promise<Record<string, string>> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return { TINTYPE_MODELS_FILE: path };
}

test("without the weights removing backgrounds answers 503 at no cost, and works once they are there", async () => {
  const app = await startTestApp();
  try {
    const person = await app.person();
    const refused = await person.run("remove-background", [ball]);
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBeNull();
    expect(await refused.json()).toMatchObject({
      type: "/api/docs#error-not-installed",
      retryable: false,
      detail: "This tool is unavailable right now.",
    });
    expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 0 });
    expect((await person.run("upscale", [square], { scale_factor: "2" })).status).toBe(200);

    await mkdir(join(app.dataFolder, "models"), { recursive: true });
    await copyFile(weights, join(app.dataFolder, "models", basename(weights)));
    const form = formOf(square, [ball]);
    form.append("crop", "true");
    form.append("margin", "0");
    const answer = await person.call("/api/remove-background/", { form });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toContain("ball_bgremoved.png");
    expect(Number(answer.headers.get("x-confidence"))).toBeGreaterThan(0.9);
    const { width, height } = JSON.parse(answer.headers.get("x-report") ?? "");
    for (const side of [width, height]) expect(Math.abs(side - 140)).toBeLessThan(4);
    expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 2 });
    // Colour type 2, no alpha: the subject is in front of the background picture that was sent.
    expect((await answer.bytes())[25]).toBe(2);
  } finally {
    await app.close();
  }
});

test("another model stands in a place by configuration alone", async () => {
  const path = join(shipped, "upscale-x4-16bit.onnx");
  const environment = await modelsFile("float.json", {
    "upscale-x4": { source: { kind: "file", path }, values: "float32" },
  });
  const app = await startTestApp({ environment });
  try {
    const answer = await (await app.person()).run("upscale", [square], { scale_factor: "4" });
    expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({
      width: 320,
      height: 240,
      notes: expect.arrayContaining(["AI-generated detail: check faces and text."]),
    });
  } finally {
    await app.close();
  }
});

const file = (path: string) => ({ source: { kind: "file", path } });
test.each([
  ["no JSON", "{", "cannot be read as JSON"],
  ["an unknown place", { foreground: file("a.onnx") }, "foreground"],
  ["an unknown word", { background: { ...file("a.onnx"), colour: 1 } }, "colour"],
  ["a file that is not there", { background: file("missing.onnx") }, "missing.onnx: there is no such file"],
  [
    "a model of another shape",
    { background: file(join(shipped, "upscale-x4-16bit.onnx")) },
    'its output "output" is float32 [1, 3, H, W], wanted is float32 [1, 1, 1024, 1024]',
  ],
  [
    "a model for another scale",
    {
      "upscale-x4": {
        ...file(join(shipped, "upscale-x2.onnx")),
        output: { name: "output", channels: 3, scale: 2, range: [0, 1] },
      },
    },
    'The place "upscale-x4" wants a model of scale 4',
  ],
])("%s stops the server with a sentence", async (name, content, sentence) => {
  const environment = await modelsFile(`${name}.json`, content);
  await expect(startTestApp({ environment })).rejects.toThrow(sentence);
});
