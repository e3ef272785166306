import type { InputFormat } from "@tintype/contract";
import { expect, test } from "vitest";
import type { Picture } from "../../state/picture.ts";
import type { Run } from "../../state/studio-state.ts";
import { finished, picture, result } from "../../testing/pictures.ts";
import { endDetail, endHeadline } from "./end-sentences.ts";

const { run } = finished(["a"]);
const converted = { ...run, tool: "convert" } as Extract<Run, { phase: "ended" }>; // it has ended
const done = (name: string, from: InputFormat, to: InputFormat, sizeBytes: number): Picture =>
  picture(name, {
    format: from,
    outcome: { kind: "done", result: { ...result(name, sizeBytes), format: to }, notes: [], confidence: undefined },
  });

test("a vector drawn as pixels has its size in pixels in place of a percentage, and spoils none of a batch", () => {
  const drawing = done("logo.svg", "svg", "png", 16_170);
  expect(endHeadline(converted, [drawing])).toBe("400 × 300");
  expect(endDetail(converted, [drawing])).toBe("1.0 KB to 16.2 KB");
  const [photo, other] = [done("a.png", "png", "webp", 400), done("b.svg", "svg", "png", 9000)];
  expect(endHeadline(converted, [drawing, photo])).toBe("60% smaller");
  expect(endHeadline(converted, [drawing, other])).toBe("2 images done");
  expect(endDetail(converted, [drawing, other])).toBe("2.0 KB to 25.2 KB");
  // A vector that stays one is compared.
  expect(endHeadline({ ...converted, tool: "compress" }, [done("c.svg", "svg", "svg", 500)])).toBe("50% smaller");
});
