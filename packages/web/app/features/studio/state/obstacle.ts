import type { PictureId } from "./picture.ts";

/** A next step that a message offers. */
export type Remedy =
  | { kind: "factor"; factor: 2 | 4 | 8 }
  /** Sends at most `count` of those pictures in `ids` that can be sent. */
  | { kind: "send"; count: number; ids: ReadonlySet<PictureId>; label: string }
  | { kind: "sign-up"; label: string }
  | { kind: "link"; to: string; label: string };

/** Why a submit is not possible, and the field to correct. */
export type Obstacle = {
  /** A field of the tool's form, the pictures, or the service. */
  field: "pictures" | "service" | (string & {});
  sentence: string;
  remedies?: readonly Remedy[];
  /** The reference by which the operator finds the failure in the log. */
  reference?: string | undefined;
};
