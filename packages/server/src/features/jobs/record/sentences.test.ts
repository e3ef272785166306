import { noteText, reasonText } from "@tintype/contract";
import { expect, test } from "vitest";
import { describeNotes, reasonSentence } from "./sentences.ts";

test("notes and reasons of rows become sentences, and those that were stored as sentences are shown as they are", () => {
  const kept = { code: "first-page-kept", pages: 3 } as const;
  expect(describeNotes([kept])).toEqual({ notes: [noteText(kept)], noteCodes: [kept] });
  expect(describeNotes(["Only the first of 3 pages is kept."])).toEqual({
    notes: ["Only the first of 3 pages is kept."],
  });
  expect(describeNotes([])).toEqual({ notes: [] });
  expect(reasonSentence({ code: "no-subject" })).toBe(reasonText({ code: "no-subject" }));
  expect(reasonSentence("The image is damaged and cannot be read.")).toBe("The image is damaged and cannot be read.");
});

test("a code of a newer release is shown as it is", () => {
  expect(describeNotes([{ code: "of-tomorrow" } as never]).notes).toEqual(["of-tomorrow"]);
  expect(reasonSentence({ code: "of-tomorrow" } as never)).toBe("of-tomorrow");
});
