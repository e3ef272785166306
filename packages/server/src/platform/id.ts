import { randomBytes } from "node:crypto";

/** Crockford's base 32: no letter that looks like a digit. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * `newId("job")` is `job_` and 26 letters: the creation time in ms, which sorts ids by age, then 80 random bits against
 * guessing (the ULID's layout).
 */
export function newId(prefix: string): string {
  let time = Date.now();
  let head = "";
  for (let i = 0; i < 10; i++) {
    head = `${alphabet[time % 32]}${head}`;
    time = Math.floor(time / 32);
  }
  const tail = Array.from(randomBytes(16), (byte) => alphabet[byte % 32]).join("");
  return `${prefix}_${head}${tail}`;
}
