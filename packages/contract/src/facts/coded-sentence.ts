/** A sentence, or the function that makes it from its parameters. */
type Sentence = string | ((params: never) => string);
export type SentenceTable = Readonly<Record<string, Sentence>>;

/** What is stored and sent in place of a sentence of the table: its code, and the parameters that its function takes. */
export type CodedSentence<Table extends SentenceTable> = {
  [Code in keyof Table & string]: Table[Code] extends (params: infer Params) => string
    ? { code: Code } & Params
    : { code: Code };
}[keyof Table & string];

/** The sentence of the table that `coded` stands for. */
export function writeSentence<Table extends SentenceTable>(table: Table, coded: { code: keyof Table }): string {
  const sentence: Sentence = table[coded.code] as Sentence; // the constraint of `Table`
  // `CodedSentence` pairs each code with the parameters of its function.
  return typeof sentence === "string" ? sentence : (sentence as (params: unknown) => string)(coded);
}
