/** The value of `import set from "./photo.jpg?web-set"`. In a dev server the only file is the picture itself. */
export type ImportedSet = {
  /** `<source>` elements, the best format first. */
  sources: { type: string; srcset: string; sizes: string }[];
  img: { src: string; srcset: string; sizes: string; width: number; height: number; alt: string };
  /** A 20 px picture as a data URI; empty in a dev server. */
  placeholder: string;
  /** The whole `<picture>` element. */
  html: string;
};
