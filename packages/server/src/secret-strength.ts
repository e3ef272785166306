/** Words of placeholder values, and better-auth's own public default. */
const placeholders =
  /(?<![a-z])(?:replace|change[-_ ]?(?:me|it|this)|placeholder|your[-_ ](?:own|secret|key|token|password)|(?:put|insert|fill|enter)[-_ ](?:in|your|a|the|here)(?![a-z]))|^<.*>$|^\$\{|example[-_ ](secret|key|token|password)|better-auth-secret/i;

/** In bits of a random text with this length and these characters. 32 random hexadecimal digits have about 110. */
const fewestBits = 80;

/** Whether the value is an example file's placeholder. */
export const isPlaceholder = (value: string): boolean => placeholders.test(value);

/**
 * Whether a secret can be guessed: a repeated unit, a run of the alphabet or of the keyboard's digits, or few different
 * characters. A passphrase of several words passes.
 */
export function isGuessable(secret: string): boolean {
  return bitsOf(unrepeated(secret)) < fewestBits;
}

/** Shannon entropy of the characters that neither repeat nor follow their predecessor, in bits for the whole text. */
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

/** The repeated unit of a text that consists only of repetitions; otherwise the text. */
function unrepeated(text: string): string {
  // A text found in its own double before the end repeats itself from that offset.
  return text.slice(0, (text + text).indexOf(text, 1));
}
