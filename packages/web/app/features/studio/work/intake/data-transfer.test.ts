import { expect, test } from "vitest";
import { addressesIn, nameInAddress } from "./data-transfer.ts";

test.each([
  ["https://pictures.example/a.jpg", 1],
  ["https://pictures.example/a.jpg\r\nhttp://pictures.example/b.jpg\n", 2],
  ["see https://pictures.example/a.jpg", 0],
  ["ftp://pictures.example/a.jpg", 0],
  ["https://", 0],
  ["", 0],
])("%j holds %i addresses", (text, count) => {
  expect(addressesIn(text)).toHaveLength(count);
});

test("a picture is called by the last part of its path, without the query", () => {
  expect(nameInAddress("https://pictures.example/a/photo%20one.png?signature=secret")).toBe("photo one.png");
  expect(nameInAddress("https://pictures.example/%E0%A4%A.png")).toBe("%E0%A4%A.png");
  expect(nameInAddress("https://pictures.example/")).toBe("pictures.example");
});
