import type { ModelRow } from "./row.ts";

/**
 * MediaPipe's Selfie Segmentation: two small networks that only know people. `cutout/person-prior.ts` asks both. Converted from
 * the TensorFlow Lite files of the npm package `@mediapipe/selfie_segmentation` 0.1.1675465747: the same numbers, in 32 bits.
 */
const both = {
  task: "remove-background",
  licence: "Apache-2.0: packages/imaging/models/LICENSE-APACHE-2.0. See THIRD_PARTY.md.",
  output: { name: "output", channels: 1, scale: 1, range: [0, 1] },
  memoryMb: 40,
  keepsArena: true,
  withoutIt: "pictures of people are cut out by the large network alone, which loses clothes and limbs more often",
} as const satisfies Partial<ModelRow>;

const input = ({ heightPx, widthPx }: { heightPx: number; widthPx: number }) =>
  ({
    name: "input",
    size: { kind: "fixed", heightPx, widthPx },
    mean: [0, 0, 0],
    deviation: [255, 255, 255],
  }) as const satisfies ModelRow["input"];

export const personRows = {
  person: {
    ...both,
    name: "Selfie Segmentation, general",
    fileName: "selfie-segmentation-general.onnx",
    sha256: "ab0a4ff71e974438d0320a7aad711efa1550dfb8461fd02676ec057bac226c09",
    sizeBytes: 438_678,
    source: { kind: "repository", file: "selfie-segmentation-general.onnx" },
    input: input({ heightPx: 256, widthPx: 256 }),
  },
  "person-landscape": {
    ...both,
    name: "Selfie Segmentation, landscape",
    fileName: "selfie-segmentation-landscape.onnx",
    sha256: "d11ed48ee5cece5663a257464e05fc627ec9dd900e6f2e953e8b367b6e4d8421",
    sizeBytes: 438_685,
    source: { kind: "repository", file: "selfie-segmentation-landscape.onnx" },
    input: input({ heightPx: 144, widthPx: 256 }),
  },
} as const satisfies Record<string, ModelRow>;
