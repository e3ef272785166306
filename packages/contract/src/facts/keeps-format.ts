import type { InputFormat } from "./format.ts";

type ConvertOptions = {
  target_format: string;
  quality?: number | undefined;
  max_bytes?: number | undefined;
  background?: string | undefined;
};

/** Whether convert changes only the metadata of a picture of this format: no quality, byte limit or background is requested. */
export const keepsFormat = (
  { target_format: target, quality, max_bytes: maxBytes, background = "transparent" }: ConvertOptions,
  format: InputFormat,
): boolean => target === format && quality === undefined && maxBytes === undefined && background === "transparent";
