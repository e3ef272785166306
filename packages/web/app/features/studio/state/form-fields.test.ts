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
