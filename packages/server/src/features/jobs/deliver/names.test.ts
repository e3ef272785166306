import { resultName } from "@tintype/contract";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanName } from "../../../http/upload.ts";
import { contentDisposition } from "./result.ts";

// product: names-kept
test("a result keeps its name; another format swaps the extension; a cut-out says what it is", () => {
  const facts = { name: "my.holiday.JPG", sourceFormat: "jpeg", resultFormat: "jpeg" } as const;
  expect(resultName(["compress"], facts)).toBe("my.holiday.JPG");
  expect(resultName(["convert"], { ...facts, resultFormat: "webp" })).toBe("my.holiday.webp");
  expect(resultName(["remove-background"], { ...facts, resultFormat: "png" })).toBe("my.holiday_bgremoved.png");
  expect(resultName(["convert"], { name: "scan", sourceFormat: "tiff", resultFormat: "jpeg" })).toBe("scan.jpg");
  expect(resultName(["compress"], { name: "wrong.png", sourceFormat: "jpeg", resultFormat: "jpeg" })).toBe("wrong.jpg");
});

test("a name carries no path, no control character and no turned direction", () => {
  expect(cleanName("../../etc/passwd.png")).toBe("passwd.png");
  expect(cleanName("C:\\Users\\me\\photo.png")).toBe("photo.png");
  expect(cleanName("a\u0000b\r\nc.png")).toBe("abc.png");
  expect(cleanName("photo\u202Egnp.exe")).toBe("photognp.exe");
  expect(cleanName("..")).toBe("picture");
  expect(cleanName("")).toBe("picture");
  const long = cleanName(`${"é".repeat(300)}.jpeg`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200);
  expect(long.endsWith("é.jpeg")).toBe(true);
});

test.each(["a", " ", "é", "🦊"])("a name of 300,000 letters like %j is cut in time, between letters", (letter) => {
  const cut = cleanName(`x${letter.repeat(300_000)}x.png`);
  expect(Buffer.byteLength(cut)).toBeGreaterThan(195);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(200);
  expect(cut).toBe(`x${letter.repeat((cut.length - 5) / letter.length)}.png`);
});

test("any name makes a header that can be sent, and comes back whole", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (raw) => {
      const name = cleanName(raw);
      const header = contentDisposition(name);
      expect(header).toMatch(/^[\x20-\x7e]*$/);
      expect(decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? "")).toBe(name);
    }),
  );
});

test("a name that Windows keeps for a device becomes another one", () => {
  expect(["con.jpg", "AUX", "lpt1.tar.png", "COM¹.png", "nul .png"].map(cleanName)).toEqual([
    "con_.jpg",
    "AUX_",
    "lpt1_.tar.png",
    "COM¹_.png",
    "nul_ .png",
  ]);
  for (const name of ["console.jpg", "com.png", "com10.png", "icon.png", "auxiliary"])
    expect(cleanName(name)).toBe(name);
});
