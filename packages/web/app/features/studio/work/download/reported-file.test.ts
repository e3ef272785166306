import { expect, test } from "vitest";
import type { EditSettings } from "../../state/picture.ts";
import { picture, result } from "../../testing/pictures.ts";
import { reportedFile } from "./reported-file.ts";

const missing = "A large part of the person may be missing.";
const edit = (candidate: number) => ({
  settings: { candidate, ground: "transparent" } as EditSettings, // the report reads only these
  editedMattes: new Map(),
});
const cutOut = (candidate?: number) =>
  picture("head.jpg", {
    outcome: {
      kind: "done",
      result: { ...result("head.png"), ...(candidate && { edit: edit(candidate) }) },
      notes: [missing, "16 bits."],
      confidence: 0.97,
      candidates: [0.97, 0.85],
      isIncomplete: true,
    },
  });

test("the report tells of the candidate that the result is", () => {
  const shown = {
    confidence: 0.97,
    notes: [missing, "16 bits."],
    candidates: { count: 2, shown: 1, confidences: [0.97, 0.85] },
    incomplete: true,
  };
  expect(reportedFile(cutOut(), "1.png")).toMatchObject({
    ...shown,
    file: "head.jpg",
    result: "1.png",
    outcome: "done",
  });
  expect(reportedFile(cutOut(1), "1.png")).toMatchObject(shown);
  const chosen = reportedFile(cutOut(2), "1.png");
  expect(chosen).toMatchObject({
    confidence: 0.85,
    notes: ["16 bits."],
    candidates: { count: 2, shown: 2, confidences: [0.97, 0.85] },
  });
  expect(chosen).not.toHaveProperty("incomplete");
});

test("a result of another tool has no candidates in the report, and a picture that did not run has no row", () => {
  const outcome = { kind: "done", result: result("a.webp"), notes: [], confidence: undefined } as const;
  expect(Object.keys(reportedFile(picture("a.png", { outcome }), undefined) ?? {})).toEqual(
    "file outcome result result_bytes width height source_bytes notes".split(" "),
  );
  expect(reportedFile(picture("a.png"), undefined)).toBeUndefined();
});
