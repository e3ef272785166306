import sharp from "sharp";
import { expect, test } from "vitest";
import { convert } from "../../operations/convert.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { isPremultiplied } from "./premultiplied.ts";

/** 64 x 48 pixels of one colour, 230, 60, 40, multiplied by an alpha that falls towards the sides. */
const premultiplied = Buffer.from(
  "/wrLwAAIigsBCAgQACgGSygy3YT1TgbfFQbvFCQklBwUjGDEmZmRMQarR1oMlo6IMYxhjI0K6YwRYTHOAKQYg9VfQCgA2chLAPM9hYbPEaIzR+QlLqqguuEvrH4UEMJlCAQCISm0VPjedrl7hw8AxzddLt24A5QsjFk80b78XG1SiqPMkumSorZUZf8SsyuZdnXT/owBykej5z5rIpEteqmDc2D1swd21BA76C4bbayAla6dgED/OIGa4V/SL3VFGs4G/hDkQtAL+hHCFdo35Yhdsl8G5re6TKJWh+C/JcqaIY//mxW0lHsbAq396rEd8r3IuPM1nv+xcrZAjd6X+mAEqP+dY45wl7jKzEvYh4AqeaoHuBvA58APuHqFEtD8etaM4CwADdNmsiu8OCrRquOSSLtL3N5ioijXFRa1YgGVs+LI9YE26rm6vylCsjYVHOmBTsbYpg3nOViAA6CfugcQOU87Pj+lZuclepSlxtzkw4dxg4HyGUqh5IGDGhBnnpq2YxP7tlmUIKCeAiwdSYRUZ8qlYD2PAQ==",
  "base64",
);

test("the header says whether colours are multiplied by alpha", () => {
  expect(isPremultiplied(premultiplied)).toBe(true);
  expect(isPremultiplied(Buffer.alloc(0))).toBe(false);
});

test("a premultiplied JPEG XL has the colours that its alpha covers", async () => {
  const { result } = await runOperation(convert, {
    bytes: premultiplied,
    options: { target_format: "png", min_quality: 40, allow_resize: false },
  });
  const data = await sharp(result).raw().toBuffer();
  let seen = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4);
    if (alpha < 40) continue;
    seen++;
    expect(Math.max(Math.abs(red - 230), Math.abs(green - 60), Math.abs(blue - 40))).toBeLessThanOrEqual(3);
  }
  expect(seen).toBeGreaterThan(500);
});
