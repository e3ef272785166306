import { expect, test } from "vitest";
import { driftingPhoto } from "../../../../codecs/src/testing/moving-gifs.ts";
import { shrinkGif } from "./shrink.ts";

test("what the codec refuses, and a cancelled task, have the contract's codes", async () => {
  const bytes = driftingPhoto();
  await expect(shrinkGif(bytes.subarray(0, 2000), { quality: 75 })).rejects.toMatchObject({
    name: "DomainError",
    code: "broken-image",
    detail: "The GIF is damaged: it is cut off.",
  });
  await expect(shrinkGif(bytes, { quality: 75, signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "DomainError",
    code: "cancelled",
  });
});
