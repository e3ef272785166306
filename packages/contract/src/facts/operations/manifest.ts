import type { InputFormat, OutputFormat } from "../format.ts";

/** The studio's label. A field without one is not shown there. */
type Labelled = { label?: string };
/** How the studio shows a choice, by value. */
type ChoiceLabels = {
  labels?: Record<string, string>;
  /** Shown beside each value. */
  hints?: Record<string, string>;
  /** Shown below all values, for the selected one. */
  explanations?: Record<string, string>;
  /** Values that are shown but cannot be chosen yet. */
  comingSoon?: readonly string[];
};
/** A field that may be left blank has a default or is optional. */
type Blank<Value> = { default: Value } | { optional: true } | { default?: never; optional?: never };

export type IntegerField = Labelled & Blank<number> & { kind: "integer"; min: number; max: number; message: string };
/** A number with at most `decimals` digits after the decimal point. */
export type DecimalField = Labelled &
  Blank<number> & { kind: "decimal"; min: number; max: number; decimals: number; message: string };
export type ChoiceField = Labelled &
  Blank<string> &
  ChoiceLabels & { kind: "choice"; values: readonly string[]; message: string };
/** A choice of numbers. */
export type FactorField = Labelled &
  Blank<number> &
  ChoiceLabels & { kind: "factor"; values: readonly number[]; message: string };
/** `keepsOnServer`: the server keeps pictures for later calls. The command and other tools make no such calls and always send false. */
export type FlagField = Labelled &
  ({ default: boolean } | { default?: never; optional: true }) & { kind: "flag"; keepsOnServer?: true };
/**
 * `items`: the value is a comma-separated list of some of these. The studio shows check boxes.
 * `hint`: shown below the field in the studio.
 */
export type TextField = Labelled &
  Blank<string> & {
    kind: "text";
    pattern: RegExp;
    message: string;
    items?: Readonly<Record<string, string>>;
    hint?: string;
  };
/**
 * A CSS colour, as a name, #rgb or #rrggbb. Operations receive `#rrggbb`, one of the `keywords`, or `transparent` unless `isOpaque`.
 */
export type ColourField = Labelled &
  Blank<string> & { kind: "colour"; keywords?: readonly string[]; isOpaque?: true; message: string };
/** A format by any of its common names. `writable` allows only formats with an encoder. `missing` is the message for a blank field. */
export type FormatField = Labelled &
  Blank<never> & { kind: "format"; writable: boolean; message: string; missing: string };
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

/** Options as an operation receives them: parsed, with defaults applied. */
export type OptionsOf<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { optional: true } ? never : Name]: ValueOf<F[Name]>;
} & {
  -readonly [Name in keyof F as F[Name] extends { optional: true } ? Name : never]?: ValueOf<F[Name]> | undefined;
};

/** `field`: of the form. `role`: the name that the operation has for it. `label` begins an error about it. */
export type AuxiliaryFile = { field: string; role: string; label: string };

/**
 * Everything about an operation but its imaging code and the reference's prose. Endpoint, OpenAPI, validation, the studio's tab and
 * form, queue class, price, names of results, reports and the reference are derived from it.
 */
export type OperationManifest = {
  /** The label of its tab in the studio. */
  label: string;
  /** Free tasks take the same path and cost nothing. */
  creditsPerFile: 0 | 1;
  /** The message for a form without a picture. */
  noFiles: string;
  /** The sentence about the tool on the home page. */
  introduction?: string;
  /** It is a step before an operation, and not a separate tool in the studio. */
  isStep?: true;
  /** Its result is a ZIP of several pictures: no step can follow it, and the studio has no tool for it. */
  isLastStep?: true;
  /** The engines that run it. `model` engines have a neural network loaded. */
  work: "picture" | "model";
  /** Maximum time for one file before its engine process is killed, ms. */
  timeLimitMs: number;
  /** Maximum number of sizes it makes of one picture. */
  maxSizes?: number;
  /** A file may need no work. The response is then a message, and nothing is charged. */
  canBeUnchanged: boolean;
  /** Appended to a result's name before its extension. */
  nameSuffix?: string;
  fields: Fields;
  /** At least one of these fields is required; they may be of `auxiliaryFiles`. */
  oneOf?: { fields: readonly string[]; message: string };
  /** Files beside the pictures, which are not processed themselves. Each applies to every picture. */
  auxiliaryFiles?: readonly AuxiliaryFile[];
  /** Default if none of the `oneOf` fields is sent. The studio asks anyway. */
  defaults?: Record<string, string>;
  /** An example of a first call, run by a test. Its first field is the command's main field, which `--upscale 4` sets. */
  example: Record<string, string>;
};
