import type { InputFormat, OutputFormat } from "../format.ts";

/** The studio's label; a field without one is not drawn there. */
type Labelled = { label?: string };
/** A choice as the studio draws it, by value. */
type Drawn = {
  labels?: Record<string, string>;
  /** Beside every value. */
  hints?: Record<string, string>;
  /** Below them all, of the value that is chosen. */
  explanations?: Record<string, string>;
  /** Values that are shown and cannot be chosen yet. */
  comingSoon?: readonly string[];
};
/** A field that may stay blank has a default, or is optional. */
type Blank<Value> = { default: Value } | { optional: true } | { default?: never; optional?: never };

export type IntegerField = Labelled & Blank<number> & { kind: "integer"; min: number; max: number; say: string };
/** A number with so many digits after the point at most. */
export type DecimalField = Labelled &
  Blank<number> & { kind: "decimal"; min: number; max: number; decimals: number; say: string };
export type ChoiceField = Labelled & Blank<string> & Drawn & { kind: "choice"; values: readonly string[]; say: string };
/** A choice between numbers. */
export type FactorField = Labelled & Blank<number> & Drawn & { kind: "factor"; values: readonly number[]; say: string };
/** `keepsOnServer`: a server keeps pictures for later calls. The command and other tools make none, and always send false. */
export type FlagField = Labelled &
  ({ default: boolean } | { default?: never; optional: true }) & { kind: "flag"; keepsOnServer?: true };
export type TextField = Labelled & Blank<string> & { kind: "text"; pattern: RegExp; say: string };
/** A colour of CSS, as a name or as #rgb or #rrggbb; operations receive `#rrggbb` or `transparent`. */
export type ColourField = Labelled & Blank<string> & { kind: "colour"; say: string };
/** A format by any name that people use for it; `writable`: only formats that an encoder writes. `missing`: for a blank field. */
export type FormatField = Labelled & Blank<never> & { kind: "format"; writable: boolean; say: string; missing: string };
export type Field =
  | IntegerField
  | DecimalField
  | ChoiceField
  | FactorField
  | FlagField
  | TextField
  | ColourField
  | FormatField;
export type Fields = Record<string, Field>;

type ValueOf<F extends Field> = F extends { kind: "integer" | "decimal" | "text" | "colour" }
  ? F["kind"] extends "integer" | "decimal"
    ? number
    : string
  : F extends { kind: "choice" | "factor"; values: readonly (infer Value)[] }
    ? Value
    : F extends FlagField
      ? boolean
      : F extends { kind: "format"; writable: true }
        ? OutputFormat
        : InputFormat;

/** Options as an operation receives them: parsed, defaults filled in. */
export type OptionsOf<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { optional: true } ? never : Name]: ValueOf<F[Name]>;
} & {
  -readonly [Name in keyof F as F[Name] extends { optional: true } ? Name : never]?: ValueOf<F[Name]> | undefined;
};

/**
 * One operation as everything but its pixels and the reference's prose. Endpoint, OpenAPI, validation, the studio's tab and form,
 * queue class, price, names of results, reports and the reference derive from it.
 */
export type OperationManifest = {
  /** As shown on the studio's tabs. */
  label: string;
  /** Free tasks go over the same path and cost nothing. */
  creditsPerFile: 0 | 1;
  /** The sentence for a form without a picture. */
  noFiles: string;
  /** The home page's sentence on a tool. */
  introduction?: string;
  /** A step before an operation, and no tool of its own in the studio. */
  isStep?: true;
  /** Its result is a ZIP of several pictures: no step comes after it, and the studio has no tool for it. */
  isLastStep?: true;
  /** Which engines work on it: `model` ones hold a neural network. */
  work: "picture" | "model";
  /** The longest that one file may take before its engine process is ended, ms. */
  timeLimitMs: number;
  /** Of one picture it makes so many sizes at most. */
  mostSizes?: number;
  /** A file may need no work: then the answer is a sentence, and nothing is charged. */
  canBeUnchanged: boolean;
  /** Appended to a result's name before its extension. */
  nameSuffix?: string;
  fields: Fields;
  /** Of these fields at least one is filled in. */
  oneOf?: { fields: readonly string[]; say: string };
  /** A second picture that goes with every file, in a form field of its own. */
  secondPicture?: { field: string; role: "background" };
  /** A mended matte that goes with the one file, in a form field of its own. */
  mendedMatte?: { field: string };
  /** One of these fields leaves those of `without` no say: to send both is refused. */
  exclusive?: { field: string; without: readonly string[]; say: string };
  /** Taken where none of the fields of `oneOf` is given. The studio asks all the same. */
  usual?: Record<string, string>;
  /** An example of a first call; a test makes it. Its first field is the one that the command takes beside the name. */
  example: Record<string, string>;
};
