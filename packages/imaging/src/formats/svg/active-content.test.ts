import sharp from "sharp";
import { expect, test } from "vitest";
import { compress } from "../../operations/compress.ts";
import { upload } from "../../operations/upload.ts";
import { runOperation } from "../../testing/run-operation.ts";
import { stripMetadata } from "../strip-metadata.ts";

const names =
  'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml"';
const drawing = '<rect id="r" x="4" y="4" width="20" height="12" fill="#c02020"/>';
const svg = (inside: string, before = "") =>
  Buffer.from(`${before}<svg ${names} width="40" height="24">${drawing}${inside}</svg>`);
const strip = (bytes: Uint8Array) => {
  const { bytes: stripped, notes } = stripMetadata(bytes, "svg");
  return { text: Buffer.from(stripped).toString(), notes };
};

// Each contains EVIL: none of it may remain, and a note must name the kind.
test.each<[string, string, string?]>([
  ["scripts", "<script>EVIL()</script>"],
  ["scripts", "<script><![CDATA[EVIL()]]></script>"],
  ["scripts", '<h:script src="EVIL"/>'],
  ["scripts", "&x;", '<!DOCTYPE svg [<!ENTITY x "<script>EVIL()</script>">]>'],
  ["scripts", '<a><set attributeName="xlink:href" to="javascript:EVIL"/></a>'],
  ["scripts", '<rect><animate attributeName="onclick" values="EVIL"/></rect>'],
  ["event-handlers", '<rect onclick="EVIL()"/>'],
  ["event-handlers", '<foreignObject><h:img src="#" OnError="EVIL()"/></foreignObject>'],
  ["active-addresses", '<a href="javascript:EVIL()"><rect/></a>'],
  ["active-addresses", '<a xlink:href=" java&#10;script:EVIL()"><rect/></a>'],
  ["active-addresses", '<a href="&#106;avascript:EVIL()"><rect/></a>'],
  ["active-addresses", '<a href="data:text/html,EVIL"><rect/></a>'],
  ["other-files", '<image href="https://example.com/EVIL.png"/>'],
  ["other-files", '<image xlink:href="EVIL.png"/>'],
  ["other-files", '<use href="https://example.com/EVIL.svg#a"/>'],
  ["other-files", '<filter id="f"><feImage href="//example.com/EVIL"/></filter>'],
  ["other-files", '<rect fill="url(https://example.com/EVIL#a)"/>'],
  ["other-files", `<rect style="fill:url( 'EVIL.svg#a' ) red;stroke:blue"/>`],
  ["other-files", "<style>@import 'https://example.com/EVIL';rect{fill:red}</style>"],
  ["other-files", "<style>@import url(//EVIL);</style>"],
  ["other-files", "<style>@font-face{font-family:a;src:url(https://example.com/EVIL)}</style>"],
  ["other-files", "<style>a{fill:\\75 rl(https://example.com/EVIL)}</style>"],
  ["other-files", "<style>@\\69mport 'EVIL';</style>"],
  ["other-files", '<foreignObject><h:iframe src="EVIL"/></foreignObject>'],
  ["other-files", '<foreignObject><h:img srcset="EVIL 2x"/></foreignObject>'],
  ["other-files", '<?xml-stylesheet href="EVIL.css"?>'],
])("%s go, and the notes say so: %s", async (kind, inside, before) => {
  const bytes = svg(inside, before);
  const { text, notes } = strip(bytes);
  expect(text).not.toContain("EVIL");
  expect(notes).toEqual([{ code: "active-content-removed", removed: [kind] }]);
  expect(await sharp(Buffer.from(text)).raw().toBuffer()).toEqual(await sharp(bytes).raw().toBuffer());
});

// product: svg-loses-scripts
test("a drawing keeps the pictures inside it, and links that a person may follow", () => {
  const inside =
    '<style>@font-face{src:url(data:font/woff2;base64,AAAA)}rect{fill:url(#g)}</style><use href="#r"/>' +
    '<image href="data:image/png;base64,AAAA"/><a href="https://example.com/more"><rect style="fill:url(&quot;#g&quot;)"/></a>' +
    '<text>javascript: onclick="a" url(https://example.com)</text>';
  const { text, notes } = strip(svg(inside));
  expect(notes).toEqual([]);
  for (const kept of ["data:font/woff2", "#r", "data:image/png", "https://example.com/more", "#g", "url(https"])
    expect(text).toContain(kept);
});

test.each([
  ["compress", compress, { quality: 80 }],
  ["upload", upload, {}],
] as const)("%s gives a drawing back without scripts, and says so", async (_, operation, options) => {
  const bytes = svg('<script>EVIL()</script><rect onload="EVIL()"/><image href="EVIL.png"/>');
  const { result, outcome } = await runOperation(operation, { bytes, options });
  expect(result.toString()).not.toContain("EVIL");
  expect(outcome).toMatchObject({
    notes: [{ code: "active-content-removed", removed: ["event-handlers", "other-files", "scripts"] }],
  });
});

test("a drawing in another encoding keeps its letters", () => {
  const latin = Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?><svg ${names}><text>é</text></svg>`, "latin1");
  expect(strip(latin).text).toContain("é");
});
