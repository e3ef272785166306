import type { TaskName } from "../facts/operations/index.ts";

/**
 * `fields` that have a meaning only beside others: each field of `needs` must be given, be absent (`false`), or have the
 * value that is named.
 */
type Requirement = {
  fields: readonly string[];
  needs: Readonly<Record<string, string | boolean>>;
  message: string;
};

/** Beside the manifests, which every page of the site loads. */
export const requirements: { readonly [Name in TaskName]?: readonly Requirement[] } = {
  resize: [
    {
      fields: ["percent"],
      needs: { width: false, height: false },
      message: "Use either percent or width and height, not both.",
    },
    {
      fields: ["canvas"],
      needs: { method: "fit", width: true, height: true },
      message: "A canvas needs the method fit, a width and a height.",
    },
    { fields: ["position", "padding"], needs: { canvas: true }, message: "Position and padding need a canvas." },
    {
      fields: ["gravity"],
      needs: { method: "fill", width: true, height: true },
      message: "Gravity needs the method fill, a width and a height.",
    },
  ],
  crop: [
    { fields: ["gravity"], needs: { ratio: true }, message: "Gravity needs a ratio." },
    { fields: ["gravity"], needs: { straighten: false }, message: "Use either gravity or straighten, not both." },
  ],
};
