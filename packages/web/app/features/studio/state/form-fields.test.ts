import { manifestOf, operationNames } from "@tintype/contract";
import { expect, test } from "vitest";
import { formFields, settingObstacle } from "./form-fields.ts";
import type { Settings } from "./settings.ts";

const beach = new File(["x"], "beach.jpg");
const cutOut = (more: Partial<Settings["remove-background"]>) => formFields("remove-background", more);

test("the background goes along as what was chosen last, whatever else was tried before", () => {
  const tried = { colour: "#102030", picture: beach } as const;
  expect(cutOut(tried)).toMatchObject({ background: "transparent", crop: "false", mask_only: "false" });
  expect(cutOut(tried)).not.toHaveProperty("background_image");
  expect(cutOut({ ...tried, ground: "colour" })).toMatchObject({ background: "#102030" });
  expect(cutOut({ ...tried, ground: "colour" })).not.toHaveProperty("background_image");
  expect(cutOut({ ...tried, ground: "picture" })).toMatchObject({ background: "transparent", background_image: beach });
});

test("a mask has no background", () => {
  expect(cutOut({ ground: "picture", picture: beach, mask_only: "true" })).not.toHaveProperty("background_image");
});

test.each(operationNames)("nothing that the form of %s says names a field of the API", (tool) => {
  const shown = Object.entries(manifestOf(tool).fields).filter(([name, { label }]) => label || name === "max_bytes");
  for (const [name] of shown)
    for (const aim of ["quality", "size"] as const)
      expect(settingObstacle(tool, { [name]: "x", aim })?.sentence ?? "").not.toMatch(/[a-z]_[a-z]/);
});

test("a watermark is a text or a logo, whatever else was tried before", () => {
  const logo = new File(["logo"], "logo.png");
  const tried = { text: "© Ada", picture: logo };
  expect(formFields("watermark", tried)).toMatchObject({ text: "© Ada", size: "30", position: "southeast" });
  expect(formFields("watermark", tried)).not.toHaveProperty("logo_image");
  expect(formFields("watermark", { ...tried, mark: "logo" })).toMatchObject({ text: "", logo_image: logo });
  expect(settingObstacle("watermark", tried)).toBeUndefined();
  expect(settingObstacle("watermark", { ...tried, mark: "logo" })).toBeUndefined();
  const missing = { field: "text", sentence: "Type a text or choose a logo." };
  expect(settingObstacle("watermark", { mark: "text", picture: logo })).toEqual(missing);
  expect(settingObstacle("watermark", { mark: "logo", text: "© Ada" })).toEqual(missing);
});
