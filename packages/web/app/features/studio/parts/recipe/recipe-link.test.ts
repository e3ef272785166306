import { presets } from "@tintype/contract";
import { expect, test } from "vitest";
import { chooseStep } from "../../state/steps.ts";
import { readLink, writeLink } from "./recipe-link.ts";

const origin = "https://tintype.example";
const hashOf = (steps: unknown) => `#recipe=${btoa(JSON.stringify(steps))}`;

test("a link brings every preset back as it was", () => {
  for (const { steps } of presets) {
    const link = new URL(writeLink(steps, origin));
    expect([link.pathname, link.search]).toEqual(["/", ""]);
    expect(readLink(link.hash)).toEqual(chooseStep(steps));
  }
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
