import { isNoteCode, isReasonCode, type Note, noteText, type Reason, reasonText } from "@tintype/contract";

/** As in a file's row: coded, or a sentence in rows that were written before there were codes. */
export type StoredNote = Note | string;
export type StoredReason = Reason | string;

/** The sentence of a note. A code of a newer release, which has migrated nothing, is shown as it is. */
const noteSentence = (note: StoredNote): string =>
  typeof note === "string" ? note : isNoteCode(note.code) ? noteText(note) : note.code;

export const reasonSentence = (reason: StoredReason): string =>
  typeof reason === "string" ? reason : isReasonCode(reason.code) ? reasonText(reason) : reason.code;

/** The sentences of a row's notes, and their codes if there are any. */
export function describeNotes(notes: readonly StoredNote[]): { notes: string[]; noteCodes?: Note[] } {
  const noteCodes = notes.filter((note) => typeof note !== "string");
  return { notes: notes.map(noteSentence), ...(noteCodes.length > 0 ? { noteCodes } : {}) };
}
