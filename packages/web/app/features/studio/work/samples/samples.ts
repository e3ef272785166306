import type { OperationName } from "@tintype/contract";

const files = import.meta.glob<string>("../../../../pictures/samples/*", {
  query: "?url",
  import: "default",
  eager: true,
});

export type Sample = {
  /** The file's name in the studio. */
  name: string;
  url: string;
  /** A square thumbnail of 80 px. */
  thumbUrl: string;
  /** The alternative text. */
  alt: string;
  tool: OperationName;
  /** The call to action. */
  callToAction: string;
};

const facts: ReadonlyArray<Omit<Sample, "url" | "thumbUrl">> = [
  {
    name: "still-life.jpg",
    alt: "Pears, plums and a blue cup on linen",
    tool: "compress",
    callToAction: "Compress a photo",
  },
  {
    name: "brush.jpg",
    alt: "A shaving brush with fine hair",
    tool: "remove-background",
    callToAction: "Remove a background",
  },
  { name: "glasses-small.jpg", alt: "A bottle and a tumbler, small", tool: "upscale", callToAction: "Enlarge a photo" },
  { name: "letter.png", alt: "A printed page with a pencil", tool: "convert", callToAction: "Convert to WebP" },
];

/** Sample pictures to try the studio with. */
export const samples: readonly Sample[] = facts.map((sample) => {
  const at = (name: string) => {
    const url = files[`../../../../pictures/samples/${name}`];
    if (!url) throw new Error(`The sample ${name} is missing`);
    return url;
  };
  return { ...sample, url: at(sample.name), thumbUrl: at(sample.name.replace(/[.]\w+$/, ".thumb.webp")) };
});
