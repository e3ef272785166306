import { text } from "../text.ts";
import type { OperationManifest } from "./manifest.ts";
import { keptFields, pageField, writtenFields } from "./shared-fields.ts";

export const backgroundProfiles = ["auto_rembg", "product_pro", "portrait_pro"] as const;
/** Shown in the studio as coming soon. The API rejects it with 422. */
export const manualProfile = "sam_manual";
/** The message for a caller who chooses it anyway. */
export const manualComesLater = "The Manual Studio profile is coming soon. Choose another profile.";
const profiles = [...backgroundProfiles, manualProfile] as const;

export const removeBackground = {
  label: "Remove BG",
  creditsPerFile: 1,
  noFiles: "Please select at least one image to remove its background.",
  introduction: "A transparent background, at full resolution, with clean colours along the edges.",
  work: "model",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  nameSuffix: "_bgremoved",
  fields: {
    profile: {
      kind: "choice",
      label: "Background profile",
      labels: {
        auto_rembg: "Auto",
        product_pro: "Product",
        portrait_pro: "Portrait",
        [manualProfile]: "Manual Studio",
      },
      hints: {
        auto_rembg: "Most images",
        product_pro: "Hard edges",
        portrait_pro: "People, hair",
        [manualProfile]: "Coming soon",
      },
      comingSoon: [manualProfile],
      values: profiles,
      default: "auto_rembg",
      message: text.choose("profile", profiles),
    },
    background: {
      kind: "colour",
      label: "New background",
      optional: true,
      message: "The background must be transparent or a colour such as white or #ffffff.",
    },
    crop: { kind: "flag", label: "Crop to the subject", default: false },
    margin: {
      kind: "integer",
      min: 0,
      max: 50,
      default: 5,
      message: "Please enter a margin between 0 and 50 percent.",
    },
    mask_only: {
      kind: "flag",
      label: "Mask only",
      default: false,
    },
    ...writtenFields,
    editable: {
      kind: "flag",
      default: true,
      keepsOnServer: true,
    },
    ...keptFields,
    ...pageField,
  },
  auxiliaryFiles: [{ field: "background_image", role: "background", label: "Background image" }],
  example: { profile: "auto_rembg" },
} as const satisfies OperationManifest;
