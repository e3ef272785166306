import { usualQuality } from "../format.ts";
import { text } from "../text.ts";
import type { OperationForm } from "./manifest.ts";
import { metadataField } from "./metadata.ts";
import { writtenFields } from "./written-fields.ts";

export const backgroundProfiles = ["auto_rembg", "product_pro", "portrait_pro"] as const;
/** Shown in the studio as coming soon; the API answers 422 for it. */
export const manualProfile = "sam_manual";
/** The refusal of a caller who chose it all the same. */
export const manualComesLater = "The Manual Studio profile is coming soon. Choose another profile.";
const profiles = [...backgroundProfiles, manualProfile] as const;

export const removeBackgroundForm = {
  work: "model",
  timeLimitMs: 180_000,
  canBeUnchanged: false,
  nameSuffix: "_bgremoved",
  summary: "Cut out the subject",
  description: "Gives a PNG with alpha at full resolution, or another format, and tells how sure it is of the subject.",
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
      say: text.choose("profile", profiles),
      describe: "auto: for most pictures. product: for firm edges. portrait: for people and hair.",
    },
    background: {
      kind: "colour",
      label: "New background",
      optional: true,
      say: "Please give the background as transparent, or a colour like white or #ffffff.",
      describe:
        "transparent (the default), or a colour: a CSS name, #rgb or #rrggbb. A picture goes into the field background_image.",
    },
    crop: { kind: "flag", label: "Crop to the subject", default: false, describe: "Cut to the subject." },
    margin: {
      kind: "integer",
      min: 0,
      max: 50,
      default: 5,
      say: "Please enter a margin between 0 and 50 percent.",
      describe: "With crop: free space around the subject, percent of its longer side.",
    },
    mask_only: {
      kind: "flag",
      label: "Only the mask",
      default: false,
      describe: "Gives the matte itself, as a grey PNG.",
    },
    ...writtenFields(
      "The format of the result. Left out: PNG. A format without transparency, such as JPEG, has white where there is no background.",
      `Of a JPEG, WebP or AVIF: 1 (smallest) to 100 (visually lossless, or lossless where the format can). Left out: ${usualQuality.others}.`,
    ),
    editable: {
      kind: "flag",
      default: true,
      keepsOnServer: true,
      describe:
        "Keeps the original and the cut-out for 14 minutes after the job's end, for free edits (`POST /api/jobs/{id}/files/{index}/edit`). false: both are deleted once delivered.",
    },
    ...metadataField,
  },
  secondPicture: {
    field: "background_image",
    role: "background",
    describe: "A picture to put behind the subject.",
  },
  example: { profile: "auto_rembg" },
} as const satisfies OperationForm;
