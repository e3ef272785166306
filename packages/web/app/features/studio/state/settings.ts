import { type OperationName, operationNames, type tasks } from "@tintype/contract";

export type Ground = "transparent" | "colour" | "picture";

/** Of a tool that puts something behind the subject. The colour and the picture stay while another ground is chosen. */
type Background = {
  ground?: Ground;
  /** `#rrggbb` */
  colour?: string;
  picture?: File;
};

/** Choices between fields, of which only some are sent; the others keep what was typed. */
type Choices = {
  /** Of a tool that takes a quality or a size in bytes. */
  aim?: "quality" | "size";
  /** Of the sides of a resize. */
  unit?: "px" | "percent";
  isRatioLocked?: boolean;
};

export type FieldName<Tool extends OperationName> = keyof (typeof tasks)[Tool]["fields"] & string;

/**
 * The person's settings, by the names of the manifest's form fields. They are text until they are sent: no input is lost.
 * A field that was not touched is missing; `fieldValue` gives its default.
 */
export type Settings = {
  [Tool in OperationName]: Readonly<{ [Name in FieldName<Tool>]?: string } & Background & Choices>;
};

/** One tool's settings, whichever it is. */
export type ToolSettings = Settings[OperationName];

export const defaultSettings = Object.fromEntries(operationNames.map((name) => [name, {}])) as Settings; // nothing is set
