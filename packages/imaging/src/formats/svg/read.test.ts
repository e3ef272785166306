import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createImaging } from "../../imaging.ts";
import { openSource } from "../open-source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "svg-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function open(inside: string, attributes = 'width="8" height="6"') {
  const path = join(folder, "drawing.svg");
  const names =
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:xi="http://www.w3.org/2001/XInclude"';
  await writeFile(path, `<svg ${names} ${attributes}>${inside}</svg>`);
  return openSource(path, { megapixelsIn: 25, megapixelsOut: 25 });
}
const isEmpty = async (source: Awaited<ReturnType<typeof open>>) =>
  (await source.read().raw().toBuffer()).every((value) => value === 0);

test.each([
  ['width="80" height="60"', 80, 60],
  ['width="25.4mm" height="0.5in" viewBox="0 0 2 1"', 96, 48],
  [`width='72pt' height='6pc'`, 96, 96],
  ['width="100%" height="100%" viewBox="0 0 24 12"', 24, 12],
  ['viewBox="0 0 24 12"', 24, 12],
  ['width="48" viewBox="0 0 24 12"', 48, 24],
  ["", 70, 40], // neither: the bounding box of the shapes
])("an SVG with %s is drawn at its own size", async (attributes, width, height) => {
  expect(await open('<rect x="0" y="0" width="70" height="40"/>', attributes)).toMatchObject({
    format: "svg",
    width,
    height,
  });
});

test.each([
  ["", '<symbol id="home" viewBox="0 0 24 24"><path d="M0 0h24v24"/></symbol>'],
  ['width="0" height="0"', "<rect width='9' height='9'/>"],
])("an SVG without a size is not called damaged, %s", async (attributes, inside) => {
  const refusal = { code: "cannot-process", detail: expect.stringContaining("has no size") };
  await expect(open(inside, attributes)).rejects.toMatchObject(refusal);
});

test("neither file nor address is ever asked for", async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url);
    answer.end('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6"/></svg>');
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
  // A file in the same folder, which belongs to another user.
  await sharp({ create: { width: 8, height: 6, channels: 3, background: "red" } })
    .png()
    .toFile(join(folder, "other.png"));
  await writeFile(join(folder, "other.css"), "rect{fill:red}");
  try {
    for (const place of [`${url}x.png`, "other.png", `file://${folder}/other.png`, `${folder}/other.png`])
      for (const attribute of ["href", "xlink:href"]) {
        expect(await isEmpty(await open(`<image width="8" height="6" ${attribute}="${place}"/>`))).toBe(true);
        expect(await isEmpty(await open(`<use ${attribute}="${place}#a"/>`))).toBe(true);
        expect(
          await isEmpty(
            await open(
              `<filter id="f"><feImage ${attribute}="${place}"/></filter><rect filter="url(#f)" width="8" height="6"/>`,
            ),
          ),
        ).toBe(true);
      }
    for (const style of [`@import url(${url}a.css);`, "@import 'other.css';", `rect{fill:url(${url}x.svg#a)}`])
      expect(await isEmpty(await open(`<style>${style}</style><rect width="8" height="6" fill="none"/>`))).toBe(true);
    expect(await isEmpty(await open('<xi:include href="other.css" parse="text"/>'))).toBe(true);
    expect(await isEmpty(await open(`<text y="5"><xi:include href="file:///etc/hostname" parse="text"/></text>`))).toBe(
      true,
    );
    expect(asked).toEqual([]);
  } finally {
    server.close();
  }
});

test("a picture that the drawing carries itself is drawn", async () => {
  const red = await sharp({ create: { width: 8, height: 6, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const source = await open(`<image width="8" height="6" href="data:image/png;base64,${red.toString("base64")}"/>`);
  expect([...(await source.read().raw().toBuffer()).subarray(0, 4)]).toEqual([255, 0, 0, 255]);
});

test("a drawing too large is refused before it is drawn", async () => {
  await expect(open("", 'width="100000" height="100000"')).rejects.toMatchObject({ code: "too-many-pixels" });
});

test.each([
  'width="200000000" height="10"',
  'width="10" height="200000000"',
  'viewBox="0 0 200000000 10"',
  'style="width:200000000px;height:10px"',
  'width="1e9" height="1e9"',
  'width="5e9" height="10"',
])("a drawing whose size libvips cannot report is refused: %s", async (attributes) => {
  await expect(open('<rect width="5" height="5"/>', attributes)).rejects.toMatchObject({
    code: "too-many-pixels",
    detail: "The drawing is more than 100,000,000 pixels wide or high.",
  });
});

test("a drawing of one pixel is read", async () => {
  expect(await open("<rect width='1' height='1'/>", 'width="1" height="1"')).toMatchObject({ width: 1, height: 1 });
  expect(await open("<rect width='1' height='9'/>", 'width="1" height="9"')).toMatchObject({ width: 1, height: 9 });
});

test("a drawing that is too long for its own size says so, and can be resized", async () => {
  const bytes = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="32768" height="10"><path d="M0 0h9v9"/></svg>',
  );
  const refusal = {
    code: "too-many-pixels",
    detail: expect.stringContaining("too wide or too high to be rendered at its own size; the limit is 32,767 pixels"),
  };
  const imaging = createImaging();
  const [inputPath, outputPath] = [join(folder, "long.svg"), join(folder, "long.png")];
  await writeFile(inputPath, bytes);
  const context = { signal: new AbortController().signal, progress: () => {} };
  const task = { inputPath, outputPath, limits: { megapixelsIn: 25, megapixelsOut: 25 } };
  for (const [name, options] of [
    ["convert", { target_format: "png" }],
    ["turn", { angle: 90 }],
  ] as const)
    await expect(imaging.run({ ...task, name, options }, context)).rejects.toMatchObject(refusal);
  await imaging.run({ ...task, name: "resize", options: { width: 320, method: "fit" } }, context);
});

test("a run of text that would take minutes is refused, wherever it hides", async () => {
  const letters = "x".repeat(5000);
  for (const text of [letters, `<![CDATA[${letters}]]>`, "xxxxxxxxxx<!-- -->".repeat(500)])
    await expect(open(`<text>${text}</text>`)).rejects.toMatchObject({ code: "cannot-process" });
  await open(`<style>${letters}</style><metadata>${letters}</metadata><path d="${"M0 0h1".repeat(2000)}"/>`);
  await open(`<text>${"<tspan>xxxxxxxxxx</tspan>".repeat(500)}</text>`);
});

test("uses of uses that come to millions are refused at once; many uses of one part are drawn", async () => {
  const ten = (i: number) => `<use xlink:href="#g${i}"/>`.repeat(10);
  const nested = (levels: number, hidden = "") =>
    `<defs><g id="g0"><rect width="9" height="9"/></g>${Array.from({ length: levels }, (_, i) => `<g id='g${i + 1}'${hidden}>${ten(i)}</g>`).join("")}</defs><use xlink:href="#g${levels}"/>`;
  for (const drawing of [nested(12), nested(12, ' data-a=">"'), `<!-- > -->${nested(6)}`])
    await expect(open(drawing)).rejects.toMatchObject({
      code: "cannot-process",
      detail: expect.stringContaining("too long to render"),
    });
  await open(nested(3));
  await open(`<symbol id="a"><path d="M0 0h9"/></symbol>${'<use href="#a" x="1"/>'.repeat(5000)}`);
  await open(
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><use href="#c"/><rect width="9" height="9"/>',
  );
});

test("a text that is no XML is broken", async () => {
  await expect(open("<g>")).rejects.toMatchObject({ code: "broken-image" });
  const path = join(folder, "cut-off.svg");
  await writeFile(path, '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="60" viewBox="0 0 60 4h8');
  await expect(openSource(path, { megapixelsIn: 25, megapixelsOut: 25 })).rejects.toMatchObject({
    code: "broken-image",
  });
});
