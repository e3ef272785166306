import { outputFormats } from "../format.ts";
import { lossNames } from "../losses.ts";
import { text } from "../text.ts";

export const qualityRange = { kind: "integer", min: 1, max: 100, message: text.invalidQuality } as const;

/** Fields of operations that let the caller choose the result's format and quality. */
export const writtenFields = {
  target_format: {
    kind: "format",
    writable: true,
    optional: true,
    message: text.choose("target format", outputFormats),
    missing: text.selectTarget,
  },
  quality: { ...qualityRange, optional: true },
} as const;

/** Where something stands in a larger area, or what of a picture is kept: its centre, sides and corners. */
export const places = [
  "centre",
  "north",
  "northeast",
  "east",
  "southeast",
  "south",
  "southwest",
  "west",
  "northwest",
] as const;
export type Place = (typeof places)[number];

export const placeLabels: Readonly<Record<Place, string>> = {
  centre: "Centre",
  north: "Top",
  northeast: "Top right",
  east: "Right",
  southeast: "Bottom right",
  south: "Bottom",
  southwest: "Bottom left",
  west: "Left",
  northwest: "Top left",
};

/** The share of the free width and height that lies to the left of and above what stands at the place, 0..1. */
export const sharesBefore = (place: Place): { across: number; down: number } => ({
  across: place.includes("west") ? 0 : place.includes("east") ? 1 : 0.5,
  down: place.includes("north") ? 0 : place.includes("south") ? 1 : 0.5,
});

/** `smart`: what draws the eye, by colour, contrast and skin tones. */
const gravities = [...places, "smart"] as const;

/** The field of operations that cut a picture to another ratio: what they keep. */
export const gravityField = {
  gravity: {
    kind: "choice",
    values: gravities,
    optional: true,
    message: text.choose("gravity", gravities),
  },
} as const;

type WithinBytes = { quality?: number | undefined; min_quality: number };

/** The highest quality of a result within `max_bytes`: the requested one, or 90, since more bytes gain nothing that one sees. */
export const bestQualityWithin = ({ quality, min_quality: minQuality }: WithinBytes): number =>
  quality ?? Math.max(bestUnrequested, minQuality);

export const bestUnrequested = 90;

/** Fields of operations that can limit the size of the result in bytes. */
export const byteLimitFields = {
  max_bytes: {
    kind: "integer",
    min: 100,
    max: 200_000_000,
    optional: true,
    message: "max_bytes must be between 100 and 200000000.",
  },
  min_quality: {
    kind: "integer",
    min: 1,
    max: 100,
    default: 40,
    message: "min_quality must be between 1 and 100.",
  },
  allow_resize: {
    kind: "flag",
    default: false,
  },
} as const;

export const metadataChoices = ["none", "copyright", "all-but-place"] as const;
export type MetadataChoice = (typeof metadataChoices)[number];

const anyLoss = `(${lossNames.join("|")})`;

/** Fields about what a result keeps of its source: the metadata, and what it must not lose. */
export const keptFields = {
  metadata: {
    kind: "choice",
    label: "Metadata",
    labels: { none: "Remove all", copyright: "Keep copyright", "all-but-place": "Keep all but location" },
    values: metadataChoices,
    default: "copyright",
    message: `Please choose what to keep of the metadata: ${metadataChoices.join(", ")}.`,
  },
  forbid: {
    kind: "text",
    pattern: new RegExp(`^${anyLoss}( *, *${anyLoss})*$`),
    optional: true,
    message: `forbid must be a list of ${lossNames.join(", ")}.`,
  },
} as const;

/** Higher than the page count of any real document. */
const maxPages = 100_000;

/** The field of operations that read a picture: the page of a document to read. */
export const pageField = {
  page: {
    kind: "integer",
    label: "Page",
    min: 1,
    max: maxPages,
    optional: true,
    message: "The page must be 1 or higher.",
  },
} as const;
