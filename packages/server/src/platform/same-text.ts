import { timingSafeEqual } from "node:crypto";

/** Compares in constant time, so that timing reveals nothing about a partial match. */
export function isSameText(one: string, other: string): boolean {
  const [given, wanted] = [Buffer.from(one), Buffer.from(other)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
