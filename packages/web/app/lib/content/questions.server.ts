import source from "../../content/questions.md?raw";
import { readSections, type Section } from "./read-sections.ts";
import { plainText } from "./render-markdown.ts";

export type Question = {
  id: string;
  question: string;
  /** HTML. */
  answer: string;
  /** The answer as plain text, for search engines. */
  plainAnswer: string;
};

/** The questions of `content/questions.md`: one heading each, with the answer under it. */
export function readQuestions(): Question[] {
  const { sections } = readSections(source, { file: "content/questions.md" });
  return sections.map(questionOf);
}

/** A heading with the answer under it. */
export const questionOf = ({ id, heading, html }: Section): Question => ({
  id,
  question: heading,
  answer: html,
  plainAnswer: plainText(html),
});
