import { type OperationName, operationNames, type tasks } from "@tintype/contract";

export type Ground = "transparent" | "colour" | "picture";

/** For a tool that sets a background. The colour is kept while another ground is chosen. */
type Background = {
  ground?: Ground;
  /** `#rrggbb` */
  colour?: string;
};

/** For a tool with an auxiliary file: a background or a logo. It is kept while something else is chosen. */
type Auxiliary = { picture?: File };

/** Choices between fields. Only the chosen fields are sent; the others keep their values. */
type Choices = {
  /** For a tool that takes either a quality or a size in bytes. */
  aim?: "quality" | "size";
  /** The highest quality below a size in bytes, from a recipe that has both. */
  ceiling?: string;
  /** The unit of a resize. */
  unit?: "px" | "percent";
  isRatioLocked?: boolean;
  /** What a watermark is. */
  mark?: "text" | "logo";
};

export type FieldName<Tool extends OperationName> = keyof (typeof tasks)[Tool]["fields"] & string;

/**
 * The user's settings by tool, keyed by the manifest's form fields. Values stay text until they are sent, so that no input is lost.
 * An untouched field is missing; `fieldValue` returns its default.
 */
export type Settings = {
  [Tool in OperationName]: Readonly<{ [Name in FieldName<Tool>]?: string } & Background & Auxiliary & Choices>;
};

/** The settings of any one tool. */
export type ToolSettings = Settings[OperationName];

export const defaultSettings = Object.fromEntries(operationNames.map((name) => [name, {}])) as Settings; // no field is set
