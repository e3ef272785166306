/** What a file can contain besides the primary picture, and the notes about it. */
const sentences = {
  gainMap: { lost: () => "The HDR gain map was left out.", kept: () => "The HDR gain map was kept." },
  depth: { lost: () => "The depth map was left out.", kept: () => "The depth map was kept." },
  matte: { lost: () => "The portrait mattes were left out.", kept: () => "The portrait mattes were kept." },
  motion: {
    lost: () => "The film of the motion photo was left out.",
    kept: () => "The film of the motion photo was kept.",
  },
  picture: {
    lost: (count) =>
      count === 1
        ? "The second picture in the file was left out."
        : `${count} further pictures in the file were left out.`,
    kept: () => "The further pictures in the file were kept.",
  },
  layers: { lost: () => "The layers were left out: only the flattened picture is read.", kept: () => "" },
  credentials: {
    lost: () => "Content credentials (C2PA) were left out: they vouch for the original file only.",
    kept: () => "",
  },
  data: { lost: () => "Data after the end of the picture was left out.", kept: () => "" },
} as const satisfies Record<string, { lost(count: number): string; kept(): string }>;

type Part = keyof typeof sentences;
/** The number of each part in a file; missing parts are absent. */
export type Parts = ReadonlyMap<Part, number>;

const isPart = (name: string): name is Part => Object.hasOwn(sentences, name);
const allParts = Object.keys(sentences).filter(isPart);

/** Notes about the parts of a source, a sentence each: those left out, then those kept. */
export function describeParts(source: Parts, result: Parts): string[] {
  const had = allParts.filter((part) => source.has(part));
  return [
    ...had.filter((part) => !result.has(part)).map((part) => sentences[part].lost(source.get(part) ?? 1)),
    ...had.filter((part) => result.has(part)).map((part) => sentences[part].kept()),
  ].filter((sentence) => sentence !== "");
}

/** The notes of an intermediate step without those about kept parts: only the last step knows what is kept. */
export const withoutKeptParts = (notes: readonly string[]): string[] =>
  notes.filter((note) => note === "" || !allParts.some((part) => note === sentences[part].kept()));

/** `found`: of each part how many there are, or whether it is there. */
export function countParts(found: Partial<Record<Part, number | boolean>>): Parts {
  const there = allParts.filter((part) => found[part]);
  return new Map(there.map((part) => [part, Number(found[part])]));
}
