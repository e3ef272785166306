import sharp from "sharp";
import { expect, test } from "vitest";
import { runOperation } from "../../testing/run-operation.ts";
import { resize } from "../resize.ts";

test("a PNG with a palette keeps one when it is resized, at about its bytes", async () => {
  const bars = [120, 300, 210, 400, 90].map((height, i) => ({
    input: { create: { width: 90, height, channels: 3 as const, background: `hsl(${i * 70}, 60%, 50%)` } },
    left: 60 + i * 120,
    top: 440 - height,
  }));
  const chart = await sharp({ create: { width: 700, height: 460, channels: 3, background: "white" } })
    .composite(bars)
    .png({ palette: true, colours: 16 })
    .toBuffer();
  const { result } = await runOperation(resize, { bytes: chart, options: { width: 699, method: "fit" } });
  expect(await sharp(result).metadata()).toMatchObject({ width: 699, isPalette: true });
  expect(result.length).toBeLessThan(2 * chart.length);
});
