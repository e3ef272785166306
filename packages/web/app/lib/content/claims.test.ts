import { expect, test } from "vitest";
import measured from "../../content/measured.json" with { type: "json" };

// The conclusions that the articles draw from the figures. If a new measurement contradicts one, the article must be reworded.

const figure = (name: keyof typeof measured) => Number(measured[name].replaceAll(",", ""));

test("the last step of a JPG's quality costs as much as the one before, and buys less than half", () => {
  const [bits75, bits90, bits95] = [figure("plain.bitsOf.75"), figure("plain.bitsOf.90"), figure("plain.bitsOf.95")];
  expect(bits95 - bits90).toBeGreaterThanOrEqual(bits90 - bits75);
  const [score75, score90, score95] = [
    figure("plain.scoreOf.75"),
    figure("plain.scoreOf.90"),
    figure("plain.scoreOf.95"),
  ];
  expect(score95 - score90).toBeLessThan((score90 - score75) / 2);
});

test("WebP beats a plain JPG, less so at high likeness, and not a well made one; AVIF beats all", () => {
  for (const score of [50, 70, 85] as const) {
    const [jpeg, webp, avif] = [
      figure(`jpeg.percentAt.${score}`),
      figure(`webp.percentAt.${score}`),
      figure(`avif.percentAt.${score}`),
    ];
    expect(webp).toBeLessThan(100);
    expect(webp).toBeGreaterThanOrEqual(jpeg);
    expect(avif).toBeLessThan(jpeg);
  }
  expect(figure("webp.percentAt.85")).toBeGreaterThan(figure("webp.percentAt.50"));
});

test("one number of quality looks different in each format", () => {
  const scores = [figure("jpeg.scoreOf.75"), figure("webp.scoreOf.75"), figure("avif.scoreOf.75")];
  expect(Math.max(...scores) - Math.min(...scores)).toBeGreaterThan(5);
});

test("PNG is far too heavy for photographs and right for screenshots, and lossless WebP is smaller", () => {
  expect(figure("lossless.photos.png")).toBeGreaterThan(3 * figure("lossless.photos.jpeg90"));
  expect(figure("lossless.screens.png")).toBeLessThan(1.25 * figure("lossless.screens.jpeg90"));
  expect(figure("lossless.photos.pngUnfiltered")).toBeGreaterThan(figure("lossless.photos.png"));
  expect(figure("lossless.screens.pngUnfiltered")).toBeLessThan(figure("lossless.screens.png"));
  for (const kind of ["photos", "screens"] as const)
    expect(figure(`lossless.${kind}.webp`)).toBeLessThan(figure(`lossless.${kind}.png`));
});

test("saving a JPG again changes little, and cutting it before each save ruins it", () => {
  expect(figure("generations.still.1") - figure("generations.still.20")).toBeLessThanOrEqual(4);
  expect(figure("generations.cut.20")).toBeLessThan(50);
});

test("an animation with grain is many times smaller as WebP", () => {
  expect(figure("animation.times")).toBeGreaterThan(10);
});
