import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writePixelModel } from "../testing/onnx-model.ts";
import { digestFile } from "./checksum.ts";
import type { ModelsConfig } from "./config.ts";
import { fetchOtherWeights, type OtherWeights, otherWeights } from "./other-weights.ts";
import { createModels } from "./session.ts";

let folder: string;
let weights: OtherWeights;
const server = createServer((_, res) => void readFile(join(folder, "served.onnx")).then((file) => res.end(file)));
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "other-weights-"));
  const { input, output } = otherWeights.birefnet;
  const served = join(folder, "served.onnx");
  await writePixelModel(served, {
    weights: [[1, 0, 0]],
    bias: [0],
    height: 2,
    width: 2,
    inputName: input.name,
    outputName: output.name,
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  weights = {
    ...otherWeights.birefnet,
    input: { ...input, size: { kind: "fixed", heightPx: 2, widthPx: 2 } },
    fileName: "small.onnx",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/small.onnx`, // a server that listens on a port has an AddressInfo
    md5: await digestFile(served, { algorithm: "md5", encoding: "hex" }),
  };
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

test("weights fetched by name open by the settings written beside them, and compute as their row says", async () => {
  const directory = join(folder, "models");
  const settings = await fetchOtherWeights(weights, { directory });
  const { background } = JSON.parse(await readFile(settings, "utf8")) as NonNullable<ModelsConfig["overrides"]>;
  if (!background) throw new Error("the settings name no background");
  expect(background.sha256).toBe(
    await digestFile(join(directory, "small.onnx"), { algorithm: "sha256", encoding: "hex" }),
  );
  expect(background.source).toEqual({ kind: "file", path: "small.onnx" });
  const source = { kind: "file", path: join(directory, "small.onnx") } as const;
  const models = createModels({ overrides: { background: { ...background, source } } });
  const reds = Float32Array.of(0, 1, -1, 8, ...new Array<number>(8).fill(0));
  const values = await models.use("background", (model) => model.run(reds, { heightPx: 2, widthPx: 2 }));
  expect([...values].map((value) => value.toFixed(3))).toEqual(["0.500", "0.731", "0.269", "1.000"]);
  await models.close();
});

test("weights that differ from what their publisher states are refused and leave nothing behind", async () => {
  const directory = join(folder, "refused");
  const wrong = { ...weights, md5: "0".repeat(32) };
  await expect(fetchOtherWeights(wrong, { directory })).rejects.toThrow("its publisher states 000");
  expect(await readdir(directory)).toEqual([]);
});
