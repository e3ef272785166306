import type { Note } from "@tintype/contract";

/** What a file can contain besides the primary picture, and the notes about it. Some parts are never kept. */
const notes = {
  gainMap: { lost: { code: "gain-map-left-out" }, kept: { code: "gain-map-kept" } },
  depth: { lost: { code: "depth-map-left-out" }, kept: { code: "depth-map-kept" } },
  matte: { lost: { code: "mattes-left-out" }, kept: { code: "mattes-kept" } },
  motion: { lost: { code: "film-left-out" }, kept: { code: "film-kept" } },
  picture: {
    lost: (count: number) => ({ code: "further-pictures-left-out", count }),
    kept: { code: "further-pictures-kept" },
  },
  layers: { lost: { code: "layers-left-out" } },
  credentials: { lost: { code: "credentials-left-out" } },
  data: { lost: { code: "trailing-data-left-out" } },
} as const satisfies Record<string, { lost: Note | ((count: number) => Note); kept?: Note }>;

type Part = keyof typeof notes;
/** The number of each part in a file; missing parts are absent. */
export type Parts = ReadonlyMap<Part, number>;

const isPart = (name: string): name is Part => Object.hasOwn(notes, name);
const allParts = Object.keys(notes).filter(isPart);

const lostNote = (part: Part, count: number): Note => {
  const { lost } = notes[part];
  return typeof lost === "function" ? lost(count) : lost;
};
const keptNote = (part: Part): Note | undefined => {
  const about = notes[part];
  return "kept" in about ? about.kept : undefined;
};

/** Notes about the parts of a source: those left out, then those kept. */
export function describeParts(source: Parts, result: Parts): Note[] {
  const had = allParts.filter((part) => source.has(part));
  return [
    ...had.filter((part) => !result.has(part)).map((part) => lostNote(part, source.get(part) ?? 1)),
    ...had.filter((part) => result.has(part)).flatMap((part) => keptNote(part) ?? []),
  ];
}

/** The notes of an intermediate step without those about kept parts: only the last step knows what is kept. */
export const withoutKeptParts = (all: readonly Note[]): Note[] =>
  all.filter((note) => !allParts.some((part) => keptNote(part)?.code === note.code));

/** `found`: of each part how many there are, or whether it is there. */
export function countParts(found: Partial<Record<Part, number | boolean>>): Parts {
  const there = allParts.filter((part) => found[part]);
  return new Map(there.map((part) => [part, Number(found[part])]));
}
