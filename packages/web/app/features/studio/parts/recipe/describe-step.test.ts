import { expect, test } from "vitest";
import { describeStep } from "./describe-step.ts";

test.each([
  [{ resize: { width: 1200 } }, "Resize: 1,200 px wide"],
  [{ resize: { width: 1200, enlarge: false } }, "Resize: 1,200 px wide, not enlarged"],
  [{ resize: { width: 1920, height: 1080, method: "fit" } }, "Resize: 1,920 × 1,080 px, fit"],
  [{ convert: { target_format: "webp", max_bytes: 300_000, allow_resize: true } }, "Convert to WebP, at most 300 KB"],
  [{ convert: { target_format: "jpeg", max_bytes: 10_000_000 } }, "Convert to JPEG, at most 10 MB"],
  [{ compress: { quality: 70, metadata: "copyright" } }, "Compress: quality 70"],
  [{ compress: { quality: 70, metadata: "none" } }, "Compress: quality 70, no metadata"],
  [{ upscale: { scale_factor: 4 } }, "Upscale: 4×"],
  [
    { "remove-background": { background: "#ffffff", crop: true, margin: 12 } },
    "Remove BG: on #ffffff, crop to the subject, margin 12%",
  ],
  [{ watermark: { text: "© Ada", size: 20, margin: 5 } }, "Watermark: “© Ada”, size 20%, margin 5%"],
  // As stored by the server, with every default.
  [
    { "remove-background": { profile: "auto_rembg", background: "#ffffff", margin: 12, editable: false, crop: false } },
    "Remove BG: on #ffffff",
  ],
  [{ compress: {} }, "Compress"],
])("%j is said as %s", (step, words) => {
  expect(describeStep(step)).toBe(words);
});
