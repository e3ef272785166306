import { DomainError } from "@tintype/contract";

/**
 * Letters in one run of text. Laying out takes the cube of their number: 3,000 took 2 s, 6,000 took 17 s and 10,000
 * took 53 s (librsvg 2.63), and 11 million took more than 20 GB of memory.
 */
const longestRun = 4000;

/** Elements whose text is not drawn. */
const undrawn = /^<((?:\w+:)?(?:style|script|metadata|desc|title))[\s>]/;

/**
 * @throws cannot-process when a run of text is longer than can be laid out
 *
 * Every character is looked at once: a pattern that searches for the end of each of a million comments without one
 * would itself be the attack.
 */
export function checkTextRuns(plain: string): void {
  let letters = 0;
  const count = (text: string) => {
    letters += text.trim().length;
    if (letters > longestRun)
      throw new DomainError("cannot-process", {
        detail: `This SVG has a run of more than ${longestRun} letters, which is not drawn.`,
      });
  };
  /** Where the text goes on after what ends with `mark`; where that is missing, at the end. */
  const after = (mark: string, from: number) => {
    const found = plain.indexOf(mark, from);
    return found < 0 ? plain.length : found + mark.length;
  };
  for (let at = 0; at < plain.length; ) {
    const next = plain.indexOf("<", at);
    count(plain.slice(at, next < 0 ? plain.length : next));
    if (next < 0) return;
    // Comments and instructions stand within a run, and CDATA is a part of it; a tag ends it.
    if (plain.startsWith("<!--", next)) at = after("-->", next);
    else if (plain.startsWith("<?", next)) at = after("?>", next);
    else if (plain.startsWith("<![CDATA[", next)) {
      at = after("]]>", next);
      count(plain.slice(next + 9, at - 3));
    } else {
      letters = 0;
      const end = after(">", next);
      const name = undrawn.exec(plain.slice(next, Math.min(end, next + 100)))?.[1];
      at = name && plain[end - 2] !== "/" ? after(`</${name}`, end) : end;
    }
  }
}
