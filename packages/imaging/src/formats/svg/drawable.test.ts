import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSource } from "../open-source.ts";
import { drawableSvg } from "./drawable.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawable-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function draw(inside: string, attributes = 'width="240" height="120" viewBox="0 0 240 120"') {
  const path = join(folder, "drawing.svg");
  const names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  await writeFile(path, `<svg ${names} ${attributes}>${inside}</svg>`);
  const source = await openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
  return { notes: source.notes, pixels: (await source.read().ensureAlpha().raw().toBuffer()).toString("hex") };
}
/** Renders both drawings and compares the pixels. */
async function expectSame(inside: string, plain: string, attributes?: string) {
  const [drawn, expected] = [await draw(inside, attributes), await draw(plain, attributes)];
  expect(drawn.pixels === expected.pixels, inside).toBe(true);
  return drawn.notes;
}
const rect = (fill: string, attributes = "") => `<rect width="60" height="60" fill="${fill}" ${attributes}/>`;

describe("lengths", () => {
  test.each([
    ['<rect width="72pt" height="1in"/>', '<rect width="96" height="96"/>'],
    ['<rect x="25.4mm" width="2.54cm" height="6pc"/>', '<rect x="96" width="96" height="96"/>'],
    ["<style>rect{width:36pt;height:25.4mm}</style><rect/>", '<rect width="48" height="96"/>'],
    ['<rect style="width:72pt;height:40q"/>', `<rect width="96" height="${(40 * 96) / 101.6}"/>`],
    ['<path d="M0 50H200" stroke="red" stroke-width="12pt"/>', '<path d="M0 50H200" stroke="red" stroke-width="16"/>'],
    ['<g font-size="30pt"><rect width="1em" height="2em"/></g>', '<rect width="40" height="80"/>'],
    ['<rect style="width:calc(1in - 36px / 2);height:50px"/>', '<rect width="78" height="50"/>'],
  ])("%s is drawn at 96 to the inch", async (inside, plain) => {
    await expectSame(inside, plain);
  });

  test("text in points is as large as the same in pixels", async () => {
    await expectSame('<text y="40" font-size="24pt">Price</text>', '<text y="40" font-size="32px">Price</text>');
  });
});

describe("styles", () => {
  test.each([
    ["<style>:root{--c:#0a0}.a{fill:var(--c)}</style><rect class='a' width='60' height='60'/>", rect("#0a0")],
    ["<style>.b{fill:var(--none,#00f)}</style><rect class='b' width='60' height='60'/>", rect("#00f")],
    ["<style>svg{--a:var(--b);--b:red}</style><rect width='60' height='60' fill='var(--a)'/>", rect("red")],
    ["<g style='--c:lime'><rect width='60' height='60' style='fill:var(--c)'/></g>", rect("lime")],
    [
      "<style>g{--c:red}.x{--c:blue}rect{fill:var(--c)}</style><g class='x'><rect width='60' height='60'/></g>",
      rect("blue"),
    ],
    ["<g fill='red'><rect width='60' height='60' style='fill:var(--none)'/></g>", rect("red")],
    [
      "<style>svg{--a:var(--b);--b:var(--a)}</style><g fill='red'><rect width='60' height='60' style='fill:var(--a)'/></g>",
      rect("red"),
    ],
    ["<style>.g{fill:#c00; & rect{fill:#00c}}</style><g class='g'><rect width='60' height='60'/></g>", rect("#00c")],
    ["<style>g{rect{fill:lime} &.k{fill:red}}</style><g class='k'><rect width='60' height='60'/></g>", rect("lime")],
    ["<style>rect{&:hover{fill:red} &:not(.k){fill:lime}}</style><rect width='60' height='60'/>", rect("lime")],
    [
      "<style>@media screen and (min-width:100px){rect{fill:lime}} @media print{rect{fill:red}}</style><rect width='60' height='60'/>",
      rect("lime"),
    ],
    [
      "<style>rect{fill:lime}@media (prefers-color-scheme:dark){rect{fill:red}}</style><rect width='60' height='60'/>",
      rect("lime"),
    ],
    [
      "<style>@supports (fill:red){rect{fill:lime}} @layer x{rect{fill:red}}</style><rect width='60' height='60'/>",
      rect("lime"),
    ],
    [
      "<style>:is(rect,circle){fill:lime} #r{fill:blue!important}</style><rect id='r' width='60' height='60' style='fill:red'/>",
      rect("blue"),
    ],
    ["<rect width='60' height='60' style='fill:light-dark(rgb(0,128,0),red)'/>", rect("rgb(0,128,0)")],
  ])("%s", async (inside, plain) => {
    await expectSame(inside, plain);
  });

  test("variables that grow to millions of letters are given up, at once", async () => {
    const rules = Array.from({ length: 40 }, (_, i) => `--v${i + 1}:var(--v${i}) var(--v${i});`).join("");
    await draw(`<style>svg{--v0:x;${rules}}</style><rect width="9" height="9" style="fill:var(--v40)"/>`);
  });
});

describe("origins of transformations", () => {
  const turned =
    '<rect x="80" y="30" width="60" height="60" transform="translate(110 60) rotate(45) translate(-110 -60)"/>';
  const box = 'x="80" y="30" width="60" height="60"';
  test.each([
    [`<rect ${box} transform="rotate(45)" transform-origin="110 60"/>`],
    [`<rect ${box} style="transform:rotate(45deg);transform-origin:110px 60px"/>`],
    [`<style>rect{transform-origin:110px 60px}</style><rect ${box} transform="rotate(45)"/>`],
    [`<rect ${box} style="transform:rotate(45deg);transform-box:fill-box;transform-origin:center"/>`],
    [
      `<g transform="translate(-10)"><rect ${box} transform="translate(10) rotate(45)" style="transform-origin:110px 60px"/></g>`,
    ],
  ])("%s turns about its middle", async (inside) => {
    const [drawn, expected] = [await draw(inside), await draw(turned)];
    const [found, wanted] = [Buffer.from(drawn.pixels, "hex"), Buffer.from(expected.pixels, "hex")];
    const far = found.filter((value, i) => Math.abs(value - (wanted[i] ?? 0)) > 64);
    expect(far.length).toBeLessThan(40);
  });

  test.each([
    ["center", "translate(120 60) scale(.5) translate(-120 -60)"],
    ["right bottom", "translate(240 120) scale(.5) translate(-240 -120)"],
    ["25% 50%", "translate(60 60) scale(.5) translate(-60 -60)"],
  ])("%s counts from the drawing", async (origin, transform) => {
    await expectSame(
      rect("red", `style="transform:scale(.5);transform-origin:${origin}"`),
      rect("red", `transform="${transform}"`),
    );
  });
});

describe("pictures inside", () => {
  const red = () => sharp({ create: { width: 60, height: 60, channels: 3, background: "#ff0000" } });
  const image = async (type: string, make: Sharp) =>
    `<image width="60" height="60" href="data:image/${type};base64,${(await make.toBuffer()).toString("base64")}"/>`;
  test.each([
    ["webp", () => red().webp({ lossless: true })],
    ["gif", () => red().gif()],
    ["avif", () => red().avif({ lossless: true })],
    ["tiff", () => red().tiff({ compression: "lzw" })],
  ] as const)("a %s is drawn", async (type, make) => {
    expect(await expectSame(await image(type, make()), rect("#ff0000"))).toEqual([]);
  });

  test("a JPEG that says it is turned is drawn upright", async () => {
    const half = sharp({ create: { width: 64, height: 32, channels: 3, background: "#ff0000" } }).composite([
      { input: { create: { width: 32, height: 32, channels: 3, background: "#0000ff" } }, left: 0, top: 0 },
    ]);
    const bytes = await sharp(await half.png().toBuffer())
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 100, chromaSubsampling: "4:4:4" })
      .toBuffer();
    const upright = await sharp(bytes).autoOrient().png().toBuffer();
    const shown = (type: string, data: Buffer) =>
      `<image width="60" height="100" href="data:image/${type};base64,${data.toString("base64")}"/>`;
    await expectSame(shown("jpeg", bytes), shown("png", upright));
  });

  test("a drawing inside has the same lengths", async () => {
    const inner =
      '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="45pt" height="45pt" fill="red"/></svg>';
    await expectSame(
      `<image width="60" height="60" href="data:image/svg+xml;base64,${Buffer.from(inner).toString("base64")}"/>`,
      rect("red"),
    );
  });
});

test.each([
  [
    { code: "embedded-html-not-drawn" },
    '<foreignObject width="99" height="99"><div xmlns="http://www.w3.org/1999/xhtml">a</div></foreignObject>',
  ],
  [{ code: "text-path-not-drawn" }, '<path id="p" d="M0 50H200"/><text><textPath href="#p">a</textPath></text>'],
  [{ code: "fonts-may-be-missing", fonts: ["Inter"] }, '<text y="30" font-family="Inter, sans-serif">a</text>'],
  [
    { code: "fonts-may-be-missing", fonts: ["Inter"] },
    '<style>text{font:bold 12px "Inter",serif}</style><text y="30">a</text>',
  ],
  [{ code: "drawing-stands-still" }, '<rect width="9" height="9"><animate attributeName="x" to="9" dur="1s"/></rect>'],
  [{ code: "css-colours-may-be-missing" }, '<rect width="9" height="9" fill="oklch(60% 0.2 30)"/>'],
  [{ code: "linked-images-not-drawn" }, '<image width="9" height="9" href="https://example.org/a.png"/>'],
  [
    { code: "embedded-image-unreadable" },
    '<image width="9" height="9" href="data:image/webp;base64,UklGRhAAAABXRUJQVlA4IAAAAAA="/>',
  ],
])("what is not drawn is named: %s", async (note, inside) => {
  expect((await draw(inside)).notes).toEqual([note]);
});

test("nothing is said of what is drawn", async () => {
  const plain =
    '<style>@font-face{font-family:x;src:url(a)} .a{fill:red}</style><rect class="a" width="9" height="9"/><text font-family="sans-serif">color-mix is a word</text>';
  expect((await draw(plain)).notes).toEqual([]);
});

test("a switch shows its other choice where HTML is not drawn", async () => {
  await expectSame(
    `<switch><foreignObject width="50" height="50"><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>${rect("red")}</switch>`,
    rect("red"),
  );
});

const backgroundNote = { code: "background-colour-not-drawn" };
const svg = (attributes: string, inside = "") =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" ${attributes}>${inside}<rect width="9" height="9"/></svg>`;

test.each([
  [svg('style="background-color:#fffaf0"')],
  [svg("style='color:red; background: white'")],
  [svg("", "<style>svg{background-color:gold}</style>")],
  [svg("", "<style>:root { color:red; background:#fff }</style>")],
])("a background of the root, which is not drawn, is named: %s", async (plain) => {
  expect((await drawableSvg(plain)).notes).toContainEqual(backgroundNote);
});

test.each([
  [svg('style="background:none"')],
  [svg("", "<style>svg{background-color:transparent}</style>")],
  [svg("", "<style>svg{fill:red}.background{fill:blue}</style>")],
])("without a background of the root there is no such note: %s", async (plain) => {
  expect((await drawableSvg(plain)).notes).not.toContainEqual(backgroundNote);
});
