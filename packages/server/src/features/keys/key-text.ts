import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { type KeyMode, keyModes } from "@tintype/contract";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 178 bits: too many to guess. */
const randomLength = 30;
/** 62^6 is the first power of 62 above 2^32. */
const checksumLength = 6;
const shape = new RegExp(`^tt_(${keyModes.join("|")})_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

export type KeyText = { mode: KeyMode; hash: string; lastFour: string };

/** A new key: `tt_live_`, 30 random base-62 characters, and a checksum of 6. */
export function makeKey(mode: KeyMode): string {
  const random = Array.from({ length: randomLength }, () => base62[randomInt(base62.length)]).join("");
  const body = `tt_${mode}_${random}`;
  return body + checksumOf(body);
}

/** The stored part of a key. */
export function factsOf(key: string, mode: KeyMode): KeyText {
  return { mode, hash: createHash("sha256").update(key).digest("base64url"), lastFour: key.slice(-4) };
}

/** Whether a bearer has the prefix of a key. */
export const isKeyLike = (bearer: string): boolean => bearer.startsWith("tt_");

/** A key's parts; undefined if its shape or checksum is wrong. Needs no database query. */
export function readKey(bearer: string): KeyText | undefined {
  const mode = shape.exec(bearer)?.[1];
  if (mode === undefined || checksumOf(bearer.slice(0, -checksumLength)) !== bearer.slice(-checksumLength))
    return undefined;
  return factsOf(bearer, mode as KeyMode); // the shape names the modes only
}

/** CRC-32 (ISO 3309) of the preceding text, in base 62, padded with zeros. */
function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = base62[rest % base62.length] + digits;
    rest = Math.floor(rest / base62.length);
  }
  return digits;
}
