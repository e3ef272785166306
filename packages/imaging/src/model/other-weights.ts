import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestFile } from "./checksum.ts";
import type { ModelOverride } from "./config.ts";
import { ModelError } from "./model-error.ts";
import type { ModelRow } from "./row.ts";
import { fetchModel } from "./source.ts";

/**
 * Weights that this project has not benchmarked. An operator downloads them by name and configures them for
 * `background`.
 */
export type OtherWeights = Pick<ModelRow, "name" | "fileName" | "licence" | "input" | "output" | "memoryMb"> & {
  url: string;
  /** As published: a check for corruption. The SHA-256 of the file is pinned at the first download. */
  md5: string;
};

/** Source: P. Zheng et al., "Bilateral Reference for High-Resolution Dichotomous Image Segmentation", 2024. */
const birefnet = {
  licence: "MIT (the model's repository)",
  input: {
    name: "input_image",
    size: { kind: "fixed", heightPx: 1024, widthPx: 1024 },
    // ImageNet's, for 0..255.
    mean: [123.675, 116.28, 103.53],
    deviation: [58.395, 57.12, 57.375],
  },
  output: { name: "output_image", channels: 1, scale: 1, range: [0, 1], activation: "sigmoid" },
} as const;

const published = (file: string) => `https://github.com/danielgatis/rembg/releases/download/v0.0.0/${file}`;

/** URLs and MD5 sums as published by the project rembg; memory is an estimate. */
export const otherWeights = {
  birefnet: {
    ...birefnet,
    name: "BiRefNet, general use",
    fileName: "birefnet-general.onnx",
    url: published("BiRefNet-general-epoch_244.onnx"),
    md5: "7a35a0141cbbc80de11d9c9a28f52697",
    memoryMb: 8000,
  },
  "birefnet-portrait": {
    ...birefnet,
    name: "BiRefNet, portraits",
    fileName: "birefnet-portrait.onnx",
    url: published("BiRefNet-portrait-epoch_150.onnx"),
    md5: "c3a64a6abf20250d090cd055f12a3b67",
    memoryMb: 8000,
  },
  "birefnet-lite": {
    ...birefnet,
    name: "BiRefNet, general use, small",
    fileName: "birefnet-general-lite.onnx",
    url: published("BiRefNet-general-bb_swin_v1_tiny-epoch_232.onnx"),
    md5: "4fab47adc4ff364be1713e97b7e66334",
    memoryMb: 5000,
  },
} as const satisfies Record<string, OtherWeights>;

/**
 * Downloads weights into the directory, unless they are there, and writes the file for `TINTYPE_MODELS_FILE` next to
 * them, with the SHA-256 of the download: a file that changes later is refused.
 * @returns the path of that file
 * @throws ModelError when the weights are unavailable, or differ from the published checksum
 */
export async function fetchOtherWeights(
  { url, md5, fileName, ...row }: OtherWeights,
  { directory, signal }: { directory: string; signal?: AbortSignal | undefined },
): Promise<string> {
  const path = await fetchModel(
    { ...row, task: "remove-background", fileName, source: { kind: "https", url }, keepsArena: false },
    { directory, signal },
  );
  const found = await digestFile(path, { algorithm: "md5", encoding: "hex" });
  if (found !== md5) {
    await rm(path, { force: true });
    throw new ModelError(`The file fetched for ${row.name} has the MD5 sum ${found}; its publisher states ${md5}.`);
  }
  const sha256 = await digestFile(path, { algorithm: "sha256", encoding: "hex" });
  const background: ModelOverride = { ...row, source: { kind: "file", path: fileName }, sha256 };
  const settings = join(directory, `${fileName.replace(/\.onnx$/, "")}.json`);
  await writeFile(settings, `${JSON.stringify({ background }, undefined, 2)}\n`);
  return settings;
}
