import type { Note } from "@tintype/contract";

/** Each note once, in the order in which they first came. */
export const uniqueNotes = (notes: readonly Note[]): Note[] => [
  ...new Map(notes.map((note) => [JSON.stringify(note), note])).values(),
];
