import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanName, refuseName } from "./person-name.ts";

test.each([
  "Ann",
  "Ann Lee",
  "J. R. R. Tolkien",
  "Dr. Who",
  "José Ñandú-O'Neill",
  "李小龍",
  "Ann Lee Jr.",
  "نرگس",
  "🦊",
])("%s is a name, and stays as it is", (name) => {
  expect(refuseName(name)).toBeUndefined();
  expect(cleanName(name)).toBe(name);
});

test.each([
  ["Security notice: visit https://evil.example/x now", "Security notice: visit now"],
  ["Visit www.evil.example", "Visit"],
  ["visit evil.com", "visit"],
  ["visit evil。com", "visit"],
  ["visit ｅｖｉｌ．ｃｏｍ/pay", "visit"],
  ["pay at 203.0.113.7/x", "pay at"],
  ["ann@evil.example", "ann@"],
  ["Ann\r\nBcc: all", "Ann Bcc: all"],
  ["Ann\u0000Lee", "Ann Lee"],
  ["Ann\u202eeeL", "Ann eeL"],
  ["x".repeat(81), "x".repeat(80)],
])("%j is refused where it is typed, and cut where it is read", (name, cut) => {
  expect(refuseName(name)).toMatch(/^Please enter /);
  expect(cleanName(name)).toBe(cut);
});

test("a blank name is refused", () => {
  expect(refuseName(" \t ")).toBe("Please enter your name.");
});

test("whatever comes, a cut name is short, has nothing unseen and no link, and cutting it again changes nothing", () => {
  const parts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.webUrl(),
    fc.domain(),
    fc.constantFrom("\r\n", "www.", ".co", "a."),
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
      const name = cleanName(all.join(""));
      expect([...name].length).toBeLessThanOrEqual(80);
      if (name !== "") expect(refuseName(name)).toBeUndefined();
      expect(cleanName(name)).toBe(name);
    }),
  );
});
