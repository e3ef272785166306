import type { InputFormat } from "./format.ts";

type Wish = {
  target_format: string;
  quality?: number | undefined;
  max_bytes?: number | undefined;
  background?: string | undefined;
};

/** Whether convert leaves a picture of this format as it is, but for its metadata: there is no wish for fewer bytes or a background. */
export const keepsFormat = (
  { target_format: target, quality, max_bytes: maxBytes, background = "transparent" }: Wish,
  format: InputFormat,
): boolean => target === format && quality === undefined && maxBytes === undefined && background === "transparent";
