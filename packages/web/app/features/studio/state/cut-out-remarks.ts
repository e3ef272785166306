import { text } from "@tintype/contract";
import type { Outcome, Result } from "./picture.ts";
import { doubtfulBelow } from "./summary.ts";

type Done = Extract<Outcome, { kind: "done" }>;

/** Which of the cut-out's candidates the result is, from 1. */
export const candidateOf = ({ edit }: Result): number => edit?.settings.candidate ?? 1;

const isChosen = (result: Result): boolean => candidateOf(result) > 1;

/** Known of the first candidate alone. */
export const lacksPart = ({ isIncomplete, result }: Done): boolean => isIncomplete === true && !isChosen(result);

/** Whether to look before it is used. Who has chosen another candidate has looked. */
export const isDoubtful = ({ confidence = 1, isIncomplete, result }: Done): boolean =>
  !isChosen(result) && (isIncomplete === true || confidence < doubtfulBelow);

/** Of the first candidate alone it is said that a part is missing. */
export const notesOf = ({ notes, result }: Done): readonly string[] =>
  isChosen(result) ? notes.filter((note) => note !== text.personMissing) : notes;

/** The confidence of the candidate that the result is. */
export const confidenceOf = ({ confidence, candidates, result }: Done): number | undefined =>
  isChosen(result) ? candidates?.[candidateOf(result) - 1] : confidence;
