import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestFile } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

const weights = readFileSync(fileURLToPath(new URL("../../../imaging/models/upscale-x4-16bit.onnx", import.meta.url)));
const sha256 = createHash("sha256").update(weights).digest("hex");
const picture: TestFile = { name: "a.png", bytes: samplePng(40, 30) };

let folder: string;
let asked = 0;
const mirror = createServer((request, response) => {
  asked++;
  if (request.url !== "/model.onnx") response.writeHead(404).end();
  else response.writeHead(200, { "content-length": weights.length }).end(weights);
});
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tintype-remote-models-"));
  await new Promise<void>((done) => void mirror.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`; // a TCP server has one
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  mirror.closeAllConnections();
  await new Promise((done) => mirror.close(done));
});

async function modelsFile(name: string, model: object): Promise<Record<string, string>> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify({ "upscale-x4": { values: "float32", ...model } }));
  return { TINTYPE_MODELS_FILE: path };
}
const at = (path: string) => ({ kind: "https", url: `${origin}${path}` });

test("the server fetches a model from its address at the start, and a sandboxed engine works with it", async () => {
  const environment = await modelsFile("good.json", { source: at("/model.onnx"), sha256 });
  const app = await startTestApp({ environment, hasEngineProcesses: true });
  try {
    expect(asked).toBe(1);
    const answer = await (await app.person()).run("upscale", [picture], { scale_factor: "4" });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.headers.get("x-report") ?? "")).toMatchObject({ width: 160, height: 120 });
    expect(asked).toBe(1);
  } finally {
    await app.close();
  }
});

test.each([
  ["an address that has nothing", "/none.onnx", sha256],
  ["another file than the one named by its sum", "/model.onnx", "0".repeat(64)],
])("%s leaves the service without that model, says so in the log, and costs nothing", async (name, path, sum) => {
  const lines: string[] = [];
  const environment = await modelsFile(`${name}.json`, { source: at(path), sha256: sum });
  const app = await startTestApp({ environment, onLogLine: (line) => lines.push(line) });
  try {
    expect(lines.filter((line) => line.includes("could not be fetched"))).toHaveLength(1);
    const person = await app.person();
    expect((await person.run("upscale", [picture], { scale_factor: "4" })).status).toBe(503);
    expect((await person.run("compress", [picture], { quality: "60" })).status).toBe(200);
    expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 1 });
  } finally {
    await app.close();
  }
});

test("a fetched model that does not fit its place stops the server with a sentence", async () => {
  const output = { name: "output", channels: 3, scale: 4, range: [0, 1] };
  const input = { name: "nothing", size: { kind: "free", multipleOf: 1 }, mean: [0, 0, 0], deviation: [255, 255, 255] };
  const environment = await modelsFile("unfit.json", { source: at("/model.onnx"), sha256, input, output });
  await expect(startTestApp({ environment })).rejects.toThrow("a model cannot be used");
});
