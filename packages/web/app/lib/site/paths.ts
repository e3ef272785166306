// Separate from pages.ts, so that a link does not load the metadata of all pages.

/** The articles of docs/product.md, in its order. */
export const articleSlugs = [
  "what-is-jpg",
  "what-is-png",
  "what-is-webp",
  "what-is-jpeg",
  "what-is-svg",
  "what-is-gif",
] as const;

export const articlePath = (slug: string): string => `/blog/${slug}`;

/** Pages for a tool, then for a task, then for a pair of formats. Each has a file in `content/tools`, which names its tool. */
export const toolSlugs = [
  "compress-image",
  "resize-image",
  "upscale-image",
  "remove-background",
  "convert",
  "add-watermark",
  "crop-image",
  "compress-to-200kb",
  "passport-photo",
  "heic-to-jpg",
  "heic-to-png",
  "png-to-jpg",
  "png-to-webp",
  "webp-to-jpg",
  "webp-to-png",
  "jpg-to-webp",
  "svg-to-png",
  "avif-to-jpg",
  "pdf-to-jpg",
] as const;

export const toolPath = (slug: (typeof toolSlugs)[number]): string => `/${slug}`;
