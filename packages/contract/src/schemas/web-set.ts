import { z } from "zod";
import type { WebSet } from "../facts/picture-html.ts";

const sidePx = z.int().min(1);

/** A `set.json`, possibly from an untrusted source: no value can cause path traversal or escape from an HTML attribute. */
export const webSetFacts: z.ZodType<WebSet> = z.object({
  width: sidePx,
  height: sidePx,
  sizes: z.string(),
  alt: z.string(),
  placeholder: z.string().regex(/^data:image\/webp;base64,[A-Za-z0-9+/]+=*$/),
  hasTransparency: z.boolean(),
  files: z
    .array(
      z.object({
        name: z.string().regex(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u),
        type: z.enum(["image/avif", "image/webp", "image/png", "image/jpeg"]),
        width: sidePx,
        height: sidePx,
        bytes: z.int().min(1),
      }),
    )
    .min(1),
});
