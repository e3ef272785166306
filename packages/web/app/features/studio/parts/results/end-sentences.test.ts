import type { InputFormat } from "@tintype/contract";
import { expect, test } from "vitest";
import { isDoubtful } from "../../state/cut-out-remarks.ts";
import type { EditSettings, Picture } from "../../state/picture.ts";
import type { Run } from "../../state/studio-state.ts";
import { finished, picture, result } from "../../testing/pictures.ts";
import { endDetail, endHeadline, remarksOf } from "./end-sentences.ts";

const { run } = finished(["a"]);
const converted = { ...run, tool: "convert" } as Extract<Run, { phase: "ended" }>; // `finished` returns an ended run
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
  // A vector that stays a vector is compared.
  expect(endHeadline({ ...converted, tool: "compress" }, [done("c.svg", "svg", "svg", 500)])).toBe("50% smaller");
});

test("a cut-out that lacks a part says to look, until another candidate is chosen", () => {
  const missing = "A large part of the person may be missing.";
  const settings: EditSettings = {
    candidate: 2,
    ground: "transparent",
    colour: "#ffffff",
    picture: undefined,
    blur: 40,
    shadow: 0,
    isCropped: false,
    margin: 5,
  };
  const outcome = {
    kind: "done",
    result: result("head"),
    notes: [missing, "16 bits."],
    confidence: 0.97,
    candidates: [0.97, 0.9],
    isIncomplete: true,
  } as const;
  expect(isDoubtful(outcome)).toBe(true);
  expect(remarksOf(picture("head", { outcome }))).toEqual(["Check the result before you use it.", missing, "16 bits."]);
  const chosen = { ...outcome, result: { ...outcome.result, edit: { settings, editedMattes: new Map() } } };
  expect(isDoubtful(chosen)).toBe(false);
  expect(remarksOf(picture("head", { outcome: chosen }))).toEqual(["16 bits."]);
});

test("a result that was discarded counts as such, and not as cancelled", () => {
  const discarded = picture("a", { outcome: { kind: "cancelled", isDiscarded: true } });
  const cancelled = picture("b", { outcome: { kind: "cancelled" } });
  expect(endDetail({ ...converted, tool: "remove-background" }, [discarded, cancelled])).toBe(
    "1 discarded · 1 cancelled",
  );
  expect(endHeadline({ ...converted, tool: "remove-background" }, [discarded])).toBe("Discarded");
});
