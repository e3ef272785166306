import { expect, test } from "vitest";
import { z } from "zod";
import { readWidths } from "../facts/operations/web-set.ts";
import { taskOptions } from "./options.ts";

const background = (sent: string) => taskOptions["remove-background"].parse({ background: sent }).background;

test("a background is any colour of CSS by name or by number, and operations receive numbers", () => {
  expect(["white", " RebeccaPurple ", "#fff", "#A1B2C3", "transparent"].map(background)).toEqual([
    "#ffffff",
    "#663399",
    "#ffffff",
    "#a1b2c3",
    "transparent",
  ]);
  for (const wrong of ["whitish", "constructor", "#12", "rgb(1,2,3)"])
    expect(() => background(wrong)).toThrow("The background must be transparent");
});

test("blank fields count as left out, and defaults fill them", () => {
  expect(taskOptions.resize.parse({ width: "1,600".replace(",", ""), height: "", method: " " })).toEqual({
    width: 1600,
    method: "fill",
    metadata: "copyright",
  });
  expect(() => taskOptions.resize.parse({})).toThrow("Please enter a width, a height, or both.");
  for (const wrong of ["0", "101", "7.5", "0x10"])
    expect(() => taskOptions.compress.parse({ quality: wrong })).toThrow("quality between 1 and 100");
});

test("a target format that is missing and one that is unknown are told apart", () => {
  expect(() => taskOptions.convert.parse({ target_format: "" })).toThrow(
    "Please select a target format for conversion.",
  );
  expect(() => taskOptions.convert.parse({ target_format: "heic" })).toThrow("Please choose a target format: jpeg");
  expect(taskOptions.convert.parse({ target_format: "jpg", source_format: "x" })).toMatchObject({
    target_format: "jpeg",
  });
});

test("the document names a target's formats as people do too, and each of them is accepted", () => {
  const { properties } = z.toJSONSchema(taskOptions.convert, { io: "input" }) as unknown as {
    properties: { target_format: { enum: string[] } };
  };
  const names = properties.target_format.enum;
  expect(names).toEqual(expect.arrayContaining(["jpeg", "jpg", "tiff", "tif", "webp"]));
  expect(new Set(names).size).toBe(names.length);
  for (const target_format of names)
    expect(() => taskOptions.convert.parse({ target_format }), target_format).not.toThrow();
});

test("numbers are written in digits, flags in the words of forms, and blanks around them count for nothing", () => {
  expect(taskOptions.upscale.parse({ scale_factor: " 2 " })).toMatchObject({ scale_factor: 2 });
  for (const wrong of ["0x4", "4e0", "4.0", [4], true])
    expect(() => taskOptions.upscale.parse({ scale_factor: wrong }), String(wrong)).toThrow("scale factor: 2, 4 or 8");
  const flag = (allow_resize: unknown) => taskOptions.compress.parse({ quality: 1, allow_resize }).allow_resize;
  expect(["true", " TRUE ", "on", "1", true, "", "no"].map(flag)).toEqual([true, true, true, true, true, false, false]);
  for (const wrong of ["nein", 1]) expect(() => flag(wrong)).toThrow("allow_resize must be true or false.");
  expect(() => taskOptions.preview.parse({ operation: "upscale" })).toThrow("Please choose an operation: compress");
});

test("compress takes 75 where neither a quality nor a limit of bytes is given, and no quality of its own beside a limit", () => {
  expect(taskOptions.compress.parse({})).toMatchObject({ quality: 75 });
  expect(taskOptions.compress.parse({ quality: " " })).toMatchObject({ quality: 75 });
  expect(taskOptions.compress.parse({ quality: "60" })).toMatchObject({ quality: 60 });
  expect(taskOptions.compress.parse({ max_bytes: "20000" })).not.toHaveProperty("quality");
});

test("a percent beside a width or a height is refused, with both named", () => {
  for (const sides of [{ width: "60" }, { height: "60" }, { width: "60", height: "60" }]) {
    const { error } = taskOptions.resize.safeParse({ ...sides, percent: "50" });
    expect(error?.issues).toMatchObject([
      { path: ["percent"], message: "Use either percent or width and height, not both." },
    ]);
  }
  expect(taskOptions.resize.parse({ width: "", percent: "50" })).toMatchObject({ percent: 50 });
});

test("the widths of a web set are 1 to 8 numbers in one text, and anything else is refused with its sentence", () => {
  const widths = (value: unknown) => taskOptions["web-set"].parse({ widths: value }).widths;
  expect(["1", " 640 , 16384 ", "1,2,3,4,5,6,7,8"].map(widths).map(readWidths)).toEqual([
    [1],
    [640, 16_384],
    [1, 2, 3, 4, 5, 6, 7, 8],
  ]);
  for (const wrong of [640, [640, 1280], "0", "16385", "20000", "1,,2", "1;2", "1.5", "1,2,3,4,5,6,7,8,9"])
    expect(() => widths(wrong), String(wrong)).toThrow("The widths must be 1 to 8 whole numbers of pixels");
});

test.each([
  { options: { width: 10, height: 10, method: "fit", canvas: "white", padding: "5%" }, canvas: "#ffffff" },
  { options: { width: 10, height: 10, method: "fit", canvas: " Blur ", position: "north" }, canvas: "blur" },
  { options: { width: 10, height: 10, method: "fit", canvas: "transparent", padding: "40px" }, canvas: "transparent" },
])("a canvas is a colour, transparent or blur: $options", ({ options, canvas }) => {
  expect(taskOptions.resize.parse(options)).toMatchObject({ canvas });
});

const needsBox = "A canvas needs the method fit, a width and a height.";
const needsCanvas = "Position and padding need a canvas.";
const needsFill = "Gravity needs the method fill, a width and a height.";
test.each([
  [{ width: 10, height: 10, canvas: "white" }, needsBox, "canvas"],
  [{ width: 10, method: "fit", canvas: "white" }, needsBox, "canvas"],
  [{ percent: 50, method: "fit", canvas: "white" }, needsBox, "canvas"],
  [{ width: 10, height: 10, method: "fit", position: "north" }, needsCanvas, "position"],
  [{ width: 10, height: 10, method: "fit", padding: "5%" }, needsCanvas, "padding"],
  [{ width: 10, height: 10, method: "fit", gravity: "north" }, needsFill, "gravity"],
  [{ width: 10, gravity: "north" }, needsFill, "gravity"],
  [
    { width: 10, height: 10, method: "fit", canvas: "checked" },
    "The canvas must be transparent, blur, or a colour such as white or #ffffff.",
    "canvas",
  ],
  [
    { width: 10, height: 10, method: "fit", canvas: "white", padding: "5 %" },
    "The padding must be pixels or a percentage, such as 40 or 5%.",
    "padding",
  ],
])("resize refuses %o", (options, message, field) => {
  const { error } = taskOptions.resize.safeParse(options);
  expect(error?.issues.map((issue) => [issue.message, ...issue.path])).toEqual([[message, field]]);
});

test.each([
  [{ width: 10, gravity: "north" }, "Gravity needs a ratio."],
  [{ ratio: "1:1", straighten: 5, gravity: "north" }, "Use either gravity or straighten, not both."],
])("crop refuses %o", (options, message) => {
  expect(taskOptions.crop.safeParse(options).error?.issues[0]).toMatchObject({ message, path: ["gravity"] });
});
