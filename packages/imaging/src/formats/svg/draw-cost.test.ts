import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { checkDrawCost } from "./draw-cost.ts";

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="999" height="999">${inside}</svg>`;
const repeat = (times: number, make: (i: number) => string) =>
  Array.from({ length: times }, (_, i) => make(i)).join("");
const base64 = (type: string, bytes: Uint8Array | string) =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const letters = repeat(20, (i) => `<text y="${i}">${"x".repeat(3990)}</text>`);
/** A chain of definitions, each of which renders the previous one eight times. */
const nested = (kind: string, show: (before: string) => string, last: string) =>
  `<defs>${repeat(12, (i) => `<${kind} id="n${i + 1}" width="9" height="9">${repeat(8, () => show(`url(#n${i})`))}</${kind}>`)}</defs>${last}`;
const box = (attributes: string) => `<rect width="999" height="999" ${attributes}/>`;

// Each took librsvg 2.63 between 5 s and more than a minute, or gigabytes of memory; most are a few kilobytes.
test.each<[string, string]>([
  ["runs of letters, each within the bound", letters],
  ["many short runs of letters", repeat(20_000, () => `<text>${"x".repeat(20)}</text>`)],
  ["nested patterns", nested("pattern", (n) => box(`fill="${n}"`), box('fill="url(#n12)"'))],
  ["nested masks", nested("mask", (n) => box(`mask="${n}"`), box('mask="url(#n12)"'))],
  ["nested clips", nested("clipPath", (n) => box(`clip-path="${n}"`), box("clip-path='url(#n12)'"))],
  [
    "nested markers",
    nested(
      "marker",
      (n) => `<path d="M0 0L1 1L2 2" marker-mid="${n}"/>`,
      '<path d="M0 0L1 1L2 2" marker-mid="url(#n12)"/>',
    ),
  ],
  [
    "a marker of many parts at many points",
    `<marker id="m">${repeat(200, () => "<rect/>")}</marker><path marker-mid="url(#m)" d="M0 0${repeat(5000, (i) => `L${i} 9`)}"/>`,
  ],
  [
    "filters of pictures of filters",
    `${repeat(12, (i) => `<filter id="f${i + 1}">${repeat(4, () => `<feImage href="#e${i}"/>`)}</filter><rect id="e${i + 1}" filter="url(#f${i + 1})"/>`)}<use href="#e12"/>`,
  ],
  [
    "a filter of many steps on many parts",
    `<filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(50)}</filter>${box('filter="url(#f)"').repeat(200)}`,
  ],
  [
    "a filter by a rule of a style sheet",
    `<style>.a,rect.b{filter:url(#f)}</style><filter id="f">${'<feGaussianBlur stdDeviation="9"/>'.repeat(50)}</filter>${box('class="b"').repeat(200)}`,
  ],
  [
    "paint that a group hands down",
    `<pattern id="p">${"<path/>".repeat(500)}</pattern><g fill="url(#p)">${"<rect/>".repeat(2000)}</g>`,
  ],
  [
    "paint that a use hands down",
    `<pattern id="p">${"<path/>".repeat(500)}</pattern><g id="g">${"<rect/>".repeat(100)}</g><g fill="url(#p)">${'<use href="#g"/>'.repeat(20)}</g>`,
  ],
  [
    "turbulence",
    `<filter id="f">${'<feTurbulence numOctaves="12" baseFrequency="0.1"/>'.repeat(200)}</filter>${box('filter="url(#f)"')}`,
  ],
  [
    "dashes without number",
    `<path d="M0 0${repeat(100, (i) => `H9999999V${i}H-9999999`)}" stroke-dasharray="0.3 0.3"/>`,
  ],
  [
    "many rules for many elements",
    `<style>${repeat(4000, (i) => `.a${i} .b .c{fill:red}`)}</style>${"<g/>".repeat(4000)}`,
  ],
  [
    "rules that look at siblings",
    `<style>${repeat(50, (i) => `rect:nth-last-child(${i}n){fill:red}`)}</style>${"<rect/>".repeat(20_000)}`,
  ],
  ["elements without number", "<rect/>".repeat(1_000_000)],
  ["a drawing inside", `<image href="${base64("image/svg+xml", svg(letters))}"/>`],
  ["a drawing inside, written as an address", `<image href="data:image/svg+xml,${encodeURIComponent(svg(letters))}"/>`],
  ["a compressed drawing inside", `<image href="${base64("image/svg+xml", gzipSync(svg("")))}"/>`],
])("%s: refused before anything is drawn", async (_, inside) => {
  const check = () => expect(checkDrawCost(svg(inside))).rejects.toMatchObject({ code: "cannot-process" });
  expect(await cpuMs(check)).toBeLessThan(10_000);
});

test("a large picture inside is refused, and a small one that is shown hundreds of times", async () => {
  const inside = async (side: number) =>
    base64(
      "image/png",
      await sharp({ create: { width: side, height: side, channels: 3, background: "red" } })
        .png()
        .toBuffer(),
    );
  await expect(checkDrawCost(svg(`<image href="${await inside(10_500)}"/>`))).rejects.toThrow("100 megapixels");
  const shown = `<image id="i" xlink:href="${await inside(1500)}"/>`;
  await expect(checkDrawCost(svg(shown + '<use href="#i"/>'.repeat(300)))).rejects.toThrow("too long to render");
  await checkDrawCost(svg(shown + '<use href="#i"/>'.repeat(30)));
});

test("drawings as programs write them are drawn", async () => {
  const soft = '<filter id="s"><feGaussianBlur stdDeviation="4"/></filter>';
  await checkDrawCost(svg(soft + repeat(100, (i) => `<path d="M${i} 9h9v9z" filter="url(#s)"/>`)));
  await checkDrawCost(
    svg(
      `<style>.a{fill:url(#g)}</style><linearGradient id="g"><stop/><stop offset="1"/></linearGradient>${'<path class="a"/>'.repeat(5000)}`,
    ),
  );
  await checkDrawCost(
    svg(
      `<g stroke-dasharray="4 2">${repeat(200, (i) => `<path d="M900 ${i}${repeat(100, (k) => `L${900 + k} ${i + (k % 7)}`)}"/>`)}</g>`,
    ),
  );
  await checkDrawCost(svg(repeat(2000, (i) => `<text y="${i}">A place on a map</text>`)));
  await checkDrawCost(svg(`<g opacity=".5">${"<path/>".repeat(100_000)}</g>`));
});

test("a drawing without an end is read in time", async () => {
  const long = "a".repeat(1_000_000);
  const taken = await cpuMs(async () => {
    for (const inside of [
      `<style>${long}</style>`,
      `<g fill="url(#a)" ${long}/>`,
      `<g a="${long}" style="b:url(#a)"/>`,
    ])
      await checkDrawCost(svg(inside));
    // These may be refused or accepted; only the time counts.
    for (const inside of ["<!--".repeat(300_000), "<![CDATA[".repeat(100_000), "<style>".repeat(150_000), '<g a="'])
      await checkDrawCost(svg(inside)).catch(() => {});
  });
  expect(taken).toBeLessThan(10_000);
});

test("parts that show themselves end", async () => {
  await checkDrawCost(
    svg(
      '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g><pattern id="p"><rect fill="url(#p)"/></pattern><rect fill="url(#p)"/>',
    ),
  );
});
