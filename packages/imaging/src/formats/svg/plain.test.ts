import { splitProlog } from "@tintype/codecs/headers";
import { DomainError } from "@tintype/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { plainSvg } from "./plain.ts";

const plain = (text: string) => plainSvg(new TextEncoder().encode(text));

test("the text before the root is gone, and entities are written out", () => {
  const doctype = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!-- don't --><!ENTITY fill "re]>d"> <!ENTITY w '8'>]>`;
  expect(plain(`<?xml version="1.0"?><!-- a -->${doctype}\n<svg fill="&fill;" width="&w;"/>`)).toBe(
    '<svg fill="re]>d" width="8"/>',
  );
});

test("entities of the language itself and of characters stay", () => {
  expect(plain("<svg><text>&lt;&amp;&#65;&#x41;</text></svg>")).toBe("<svg><text>&lt;&amp;&#65;&#x41;</text></svg>");
});

test("an entity that names a file or an address is nothing", () => {
  expect(plain('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg><text>&a;</text></svg>')).toBe(
    "<svg><text></text></svg>",
  );
});

test("entities made of entities, and entities that grow, are refused", () => {
  const billionLaughs = '<!DOCTYPE svg [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><svg><text>&b;</text></svg>';
  expect(() => plain(billionLaughs)).toThrow(DomainError);
  const growing = `<!DOCTYPE svg [<!ENTITY a "${"x".repeat(2000)}">]><svg>${"&a;".repeat(1000)}</svg>`;
  expect(() => plain(growing)).toThrow("expand to too much text");
});

test("the declared encoding is used, and a byte order mark before it", () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><svg id="é"/>', "latin1");
  expect(plainSvg(latin)).toBe('<svg id="é"/>');
  expect(plainSvg(Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><svg id="é"/>', "utf16le"))).toBe(
    '<svg id="é"/>',
  );
  expect(() => plainSvg(Buffer.from('<?xml version="1.0" encoding="klingon"?><svg/>'))).toThrow(DomainError);
});

test("a list of comments without an end is read in time", () => {
  const text = `<!DOCTYPE svg [${"<!-- -->".repeat(2000)}`;
  expect(splitProlog(text)).toEqual({ prolog: "", body: text });
});

test("it ends in time and without another error, whatever it is given", () => {
  const pieces = fc.constantFrom(
    "<!--",
    "-->",
    "<!DOCTYPE ",
    "[",
    "]",
    ">",
    '"',
    "'",
    "<!ENTITY a ",
    "&a;",
    "<svg>",
    "<?",
    "?>",
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      try {
        plain(parts.join(""));
      } catch (problem) {
        if (!(problem instanceof DomainError)) throw problem;
      }
    }),
    { numRuns: 1000 },
  );
});
