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
