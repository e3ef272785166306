import { expect, test } from "vitest";
import { result } from "../../testing/pictures.ts";
import { namesOf, patternFault, zipName } from "./name-pattern.ts";

const one = (source: string, name: string, widthPx = 400) => ({
  picture: { name: source },
  result: { ...result(name), sides: { widthPx, heightPx: 300 } },
  tool: "remove-background" as const,
});

test("a pattern names each result and leaves the format's extension", () => {
  const all = [one("sea.jpg", "sea_bgremoved.png", 800), one("a.b.jpg", "a.b_bgremoved.png", 1200)];
  expect(namesOf("{name}-{width}w", all)).toEqual(["sea-800w.png", "a.b-1200w.png"]);
  expect(namesOf("{tool} {number} {height}", all)).toEqual(["remove-bg 1 300.png", "remove-bg 2 300.png"]);
  expect(namesOf("  ", all)).toEqual(["sea_bgremoved.png", "a.b_bgremoved.png"]);
});

test("numbers are as wide as the largest of the batch", () => {
  const of = (count: number) =>
    namesOf(
      "{number}",
      Array.from({ length: count }, (_, index) => one(`${index}.jpg`, `${index}.png`)),
    );
  expect(of(9).at(0)).toBe("1.png");
  expect([of(12).at(0), of(12).at(-1)]).toEqual(["01.png", "12.png"]);
  expect(of(100).at(8)).toBe("009.png");
});

test("equal names get numbers, also beside names that are taken already", () => {
  const all = [one("a.jpg", "a.png"), one("b.jpg", "b.png")];
  expect(namesOf("shop", all, ["shop.png"])).toEqual(["shop (2).png", "shop (3).png"]);
});

test("no pattern leads out of its folder or to a name that a system refuses", () => {
  const [up] = namesOf("../../{name}", [one("a.jpg", "a.png")]);
  expect(up).toBe("-..-a.png");
  expect(namesOf("a:b*c\u0000.", [one("a.jpg", "a.png")])).toEqual(["a-b-c-.png"]);
  expect(namesOf("x".repeat(500), [one("a.jpg", "a.png")])[0]).toHaveLength(124);
});

test("an unknown part is named, and then names stay as they are", () => {
  expect(patternFault("{name}-{size}")).toBe("{size} is unknown. Use {name}, {width}, {height}, {tool}, {number}.");
  expect(patternFault("...")).toBe("A file name needs at least one letter or digit.");
  expect(patternFault("")).toBeUndefined();
  expect(namesOf("{size}", [one("a.jpg", "a.png")])).toEqual(["a.png"]);
});

test("a ZIP is named for the product, the tool if there is one, the count and the day", () => {
  const now = new Date(2026, 0, 9);
  expect(zipName({ tool: "compress", count: 12, now })).toBe("tintype-compress-12-images-2026-01-09.zip");
  expect(zipName({ tool: undefined, count: 2, now })).toBe("tintype-2-images-2026-01-09.zip");
});
