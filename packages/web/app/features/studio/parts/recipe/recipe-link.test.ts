import { presets } from "@tintype/contract";
import { expect, test } from "vitest";
import { chooseStep } from "../../state/steps.ts";
import { readLink, readLinkName, writeLink } from "./recipe-link.ts";

const origin = "https://tintype.example";
const hashOf = (steps: unknown) => `#recipe=${btoa(JSON.stringify(steps))}`;

test("a link brings every preset back as it was", () => {
  for (const { steps } of presets) {
    const link = new URL(writeLink(steps, origin));
    expect([link.pathname, link.search]).toEqual(["/recipe", ""]);
    expect(readLink(link.hash)).toEqual(chooseStep(steps));
  }
});

test("a link has the recipe's name, whatever is in it", () => {
  const steps = [{ resize: { width: 10 } }];
  const { hash } = new URL(writeLink(steps, origin, " Café & Co #1 "));
  expect(readLinkName(hash)).toBe("Café & Co #1");
  expect(readLink(hash)).toEqual(chooseStep(steps));
  expect(readLinkName(new URL(writeLink(steps, origin)).hash)).toBe("");
  expect(readLinkName("#recipe=W10&name=%E0%A4%A")).toBe("");
});

test.each([
  ["nothing", "#recipe="],
  ["no base64", "#recipe=%%%"],
  ["no JSON", `#recipe=${btoa("resize")}`],
  ["no list", hashOf({ resize: { width: 10 } })],
  ["an empty list", hashOf([])],
  ["a list of something else", hashOf(["resize", null])],
  ["an operation that is none", hashOf([{ constructor: {} }])],
  ["an option that is none", hashOf([{ resize: { width: 10, __proto__x: 1 } }])],
  ["a thousand steps", hashOf(Array.from({ length: 1000 }, () => ({ resize: { width: 10 } })))],
  ["another address's fragment", "#resize"],
])("a link with %s is refused", (_, hash) => {
  expect(readLink(hash)).toBeUndefined();
});
