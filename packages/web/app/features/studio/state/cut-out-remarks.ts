import { text } from "@tintype/contract";
import type { Outcome, Result } from "./picture.ts";

/** Confidence below which the user should check a cut-out before using it. */
const doubtfulBelow = 0.8;

type DoneOutcome = Extract<Outcome, { kind: "done" }>;

/** Which of the cut-out's candidates the result is, 1-based. */
export const candidateOf = ({ edit }: Result): number => edit?.settings.candidate ?? 1;

const isChosen = (result: Result): boolean => candidateOf(result) > 1;

/** Known only for the first candidate. */
export const lacksPart = ({ isIncomplete, result }: DoneOutcome): boolean => isIncomplete === true && !isChosen(result);

/** Whether the user should check the result before using it. Choosing another candidate counts as a check. */
export const isDoubtful = ({ confidence = 1, isIncomplete, result }: DoneOutcome): boolean =>
  !isChosen(result) && (isIncomplete === true || confidence < doubtfulBelow);

/** The note that a part is missing applies only to the first candidate. */
export const notesOf = ({ notes, result }: DoneOutcome): readonly string[] =>
  isChosen(result) ? notes.filter((note) => note !== text.personMissing) : notes;

/** The confidence of the chosen candidate. */
export const confidenceOf = ({ confidence, candidates, result }: DoneOutcome): number | undefined =>
  isChosen(result) ? candidates?.[candidateOf(result) - 1] : confidence;
