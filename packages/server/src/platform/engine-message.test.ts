import { expect, test } from "vitest";
import { readEngineMessage } from "./engine-message.ts";

test("a region of a picture that no preview opens is no message: the server would count its cells", () => {
  const sizes = { width: 4000, height: 3000 };
  const outcome = {
    kind: "done",
    source: { format: "jpeg", ...sizes, sizeBytes: 1 },
    result: { format: "jpeg", width: 64, height: 64, sizeBytes: 1 },
    notes: [],
  };
  const regionOf = (picture: object) => ({ left: 0, top: 0, width: 64, height: 64, picture });
  const told = (picture: object) =>
    readEngineMessage({ type: "done", id: 1, outcome: { ...outcome, sourceRegion: regionOf(picture) } });
  expect(told(sizes)).toMatchObject({ outcome: { sourceRegion: regionOf(sizes) } });
  for (const picture of [
    { width: 2 ** 40, height: 2 ** 40 },
    { width: 0, height: 3000 },
  ])
    expect(told(picture)).toBeUndefined();
});

const facts = { format: "jpeg", width: 64, height: 64, sizeBytes: 1 };
const withNotes = (...notes: unknown[]) =>
  readEngineMessage({ type: "done", id: 1, outcome: { kind: "done", source: facts, result: facts, notes } });
test("a stage that is not in the table is no message", () => {
  const progressAt = (stage: string) =>
    readEngineMessage({ type: "progress", id: 1, progress: { fraction: 0, stage } });
  expect(progressAt("loading-model")).toMatchObject({ progress: { stage: "loading-model" } });
  expect(progressAt("Loading the model")).toBeUndefined();
});

const refused = (reason: unknown) => readEngineMessage({ type: "refused", id: 1, code: "cannot-process", reason });

test("a note or a reason of which no sentence can be made is no message: the API could not show its file", () => {
  const notes = [
    { code: "gain-map-kept" },
    { code: "metadata", kept: ["creator"], removed: [] },
    { code: "animation-lost", frames: 3, format: "jpeg" },
  ];
  expect(withNotes(...notes)).toMatchObject({ outcome: { notes } });
  const outer = {
    ...{ code: "auxiliary-file-failed", operation: "edit", role: "matte" },
    reason: { code: "picture-too-large", megapixels: 30, limit: 25 },
  };
  for (const reason of [{ code: "broken-image" }, { code: "tiff-mixed-depths", bits: [8, 16] }, outer])
    expect(refused(reason)).toMatchObject({ reason });
  for (const wrong of [
    "The HDR gain map was kept.",
    { code: "constructor" },
    { code: "animation-lost", frames: 3 },
    { code: "animation-lost", frames: 3, format: "tga" },
    { code: "metadata", kept: "creator", removed: 3 },
  ])
    expect(withNotes(wrong)).toBeUndefined();
  for (const wrong of ["Damaged.", {}, { code: "still-only" }, { ...outer, reason: 3 }, { ...outer, operation: "x" }])
    expect(refused(wrong)).toBeUndefined();
});
