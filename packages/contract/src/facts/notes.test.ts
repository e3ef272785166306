import { expect, test } from "vitest";
import { DomainError } from "./domain-error.ts";
import { errors } from "./error.ts";
import { isNoteCode, type Note, noteText } from "./notes.ts";
import { isReasonCode, type Reason, reasonText } from "./reasons.ts";

test("a note's sentence is made of its code and its parameters", () => {
  expect(noteText({ code: "gain-map-kept" })).toBe("The HDR gain map was kept.");
  expect(noteText({ code: "animation-lost", frames: 3, format: "jpeg" })).toBe(
    "Only the first of 3 frames was kept: JPEG cannot be animated.",
  );
  expect(noteText({ code: "metadata", kept: ["creator"], removed: ["location", "owner-name"] })).toBe(
    "Kept: creator. Removed: location, owner’s name.",
  );
  expect(noteText({ code: "likeness-missed", likeness: 90, maxBytes: 500 })).toBe(
    "No smaller result of at most 500 bytes keeps a likeness of 90. The original came back.",
  );
});

test("a code that is not in the table, and a parameter that is missing or of another kind, do not compile", () => {
  const notes: Note[] = [
    // @ts-expect-error no such code
    { code: "gain-map-gone" },
    // @ts-expect-error without its format
    { code: "animation-lost", frames: 3 },
    // @ts-expect-error not a number
    { code: "first-page-kept", pages: "3" },
  ];
  // @ts-expect-error without its limit
  const reason: Reason = { code: "jpeg-scans" };
  expect([...notes, reason]).toHaveLength(4);
});

test("a reason's sentence is made of its code and its parameters, around that of another one too", () => {
  const tooLarge: Reason = { code: "picture-too-large", megapixels: 30, limit: 25 };
  const sentence = "The image has 30.0 megapixels; your plan allows 25.";
  expect(reasonText(tooLarge)).toBe(sentence);
  const place = { code: "step-failed", place: 2, operation: "resize" } as const;
  expect(reasonText({ ...place, reason: tooLarge })).toBe(`Step 2 (resize): ${sentence}`);
  expect(
    reasonText({ code: "auxiliary-file-failed", operation: "edit", role: "matte", reason: { code: "broken-image" } }),
  ).toMatch(new RegExp(`^\\w.+: ${errors["broken-image"].detail}$`));
});

test("an error has its reason's sentence, or else that of the catalogue", () => {
  const named = new DomainError("cannot-process", { reason: { code: "no-subject" } });
  expect([named.reason, named.detail]).toEqual([{ code: "no-subject" }, reasonText({ code: "no-subject" })]);
  const bare = new DomainError("broken-image");
  expect([bare.reason, bare.detail]).toEqual([{ code: "broken-image" }, errors["broken-image"].detail]);
});

test("codes of the tables are known, and those of every object are not", () => {
  expect(["person-missing", "constructor", "no-subject"].map(isNoteCode)).toEqual([true, false, false]);
  expect(["no-subject", "step-failed", "gone", "constructor"].map(isReasonCode)).toEqual([true, true, true, false]);
});
