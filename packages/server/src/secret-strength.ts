/** Words of values that stand in a file for the real one; and better-auth's own default, which everybody knows. */
const placeholders =
  /(?<![a-z])(?:replace|change[-_ ]?(?:me|it|this)|placeholder|your[-_ ](?:own|secret|key|token|password)|(?:put|insert|fill|enter)[-_ ](?:in|your|a|the|here)(?![a-z]))|^<.*>$|^\$\{|example[-_ ](secret|key|token|password)|better-auth-secret/i;

/** Bits, as a random text of this length and these characters would have. 32 random hexadecimal digits have about 110. */
const fewestBits = 80;

/** Whether the value is one of those that an example file has where a real one belongs. */
export const isPlaceholder = (value: string): boolean => placeholders.test(value);

/**
 * Whether a secret can be guessed because it is a unit repeated, a run of the alphabet or of the keyboard's digits, or has few
 * different characters. A passphrase of some words passes.
 */
export function isGuessable(secret: string): boolean {
  return bitsOf(unrepeated(secret)) < fewestBits;
}

/** Shannon's entropy of the characters that neither repeat nor follow their predecessor, as bits of the whole. */
function bitsOf(text: string): number {
  const free = [...text].filter((_, at) => {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    return !(Math.abs(step) <= 1 && step === text.charCodeAt(at - 1) - text.charCodeAt(at - 2));
  });
  const counts = new Map<string, number>();
  for (const one of free) counts.set(one, (counts.get(one) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / free.length);
  return bits;
}

/** The unit of a text that is nothing but this unit again and again; else the text. */
function unrepeated(text: string): string {
  // A text that is found in its own double before the end repeats itself from there on.
  return text.slice(0, (text + text).indexOf(text, 1));
}
