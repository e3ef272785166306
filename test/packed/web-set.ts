/** Options with which a web set is made quickly. */
export const setOptions = { compress: { quality: 60 }, webSet: { quality: 90 } };

/** What an import of a web set gives a page. */
export type ImportedSet = {
  sources: { type: string; srcset: string }[];
  img: { src: string; srcset: string; width: number; height: number; alt: string };
  placeholder: string;
  html: string;
};
/** The files named in a set's URLs. */
/** The addresses of all its files. */
export const filesOf = ({ sources, img }: ImportedSet) =>
  [...sources.map(({ srcset }) => srcset), img.srcset]
    .flatMap((srcset) => srcset.split(", "))
    .map((candidate) => decodeURIComponent(candidate.replace(/ [0-9]+w$/, "")));
