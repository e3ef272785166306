import type { Note } from "./notes.ts";

/** What `forbid` can name, and what then does not happen to a file. */
export const losses = {
  hdr: "HDR would be lost",
  icc: "colours would be converted",
  "16bit": "it would be reduced to 8 bits per channel",
  alpha: "transparency would be lost",
  frames: "frames would be lost",
  pages: "other pages or images in the file would be lost",
  layers: "layers would be lost",
  c2pa: "content credentials (C2PA) would be lost",
  metadata: "metadata would be removed",
  upscale: "it would be enlarged",
} as const;
export type Loss = keyof typeof losses;
export const lossNames = Object.keys(losses) as readonly Loss[];

/** The notes that tell of each loss. Enlarging has none: the sides show it. */
const lossOfNote: Partial<Record<Note["code"], Loss>> = {
  "gain-map-left-out": "hdr",
  "high-range-reduced": "hdr",
  "bright-values-clipped": "hdr",
  "profile-lost": "icc",
  "cmyk-converted": "icc",
  "lab-converted": "icc",
  "animation-colours-converted": "icc",
  "apng-colours-converted": "icc",
  "colours-converted-for-background": "icc",
  "colours-converted-for-canvas": "icc",
  "colours-converted-for-mark": "icc",
  "depth-reduced-for-mark": "16bit",
  "depth-lost": "16bit",
  "depth-reduced-by-quality": "16bit",
  "depth-reduced-for-background": "16bit",
  "apng-depth-reduced": "16bit",
  "float-reduced-to-8": "16bit",
  "transparency-lost": "alpha",
  "partial-transparency-lost": "alpha",
  "animation-lost": "frames",
  "first-frame-kept": "frames",
  "first-page-kept": "pages",
  "first-picture-kept": "pages",
  "main-picture-kept": "pages",
  "largest-icon-kept": "pages",
  "further-pictures-left-out": "pages",
  "layers-left-out": "layers",
  "credentials-left-out": "c2pa",
};

/** The loss that a note on a result tells of. */
export const lossOf = (note: Note): Loss | undefined =>
  note.code === "metadata" ? (note.removed.length > 0 ? "metadata" : undefined) : lossOfNote[note.code];
