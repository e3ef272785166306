import { expect, test } from "vitest";
import { defaultSettings, type Settings } from "../state/settings.ts";
import { createFingerprints, workKey } from "./work-key.ts";

const at = (quality: string): Settings => ({ ...defaultSettings, compress: { quality } });

async function keyOf(file: File, settings: Settings, tool: "compress" | "convert" = "compress") {
  const fingerprints = createFingerprints();
  await fingerprints.of(file);
  return workKey({ tool, settings }, file, (one) => fingerprints.known(one) ?? "");
}

test("the same bytes and options are the same work, whatever the file is called", async () => {
  const one = await keyOf(new File(["abc"], "one.png"), at("70"));
  expect(await keyOf(new File(["abc"], "two.png"), at("70"))).toBe(one);
  expect(await keyOf(new File(["abd"], "one.png"), at("70"))).not.toBe(one);
  expect(await keyOf(new File(["abc"], "one.png"), at("71"))).not.toBe(one);
});

test("a believed source format changes no result, and so no key", async () => {
  const convert = (sourceFormat: "png" | ""): Settings => ({
    ...defaultSettings,
    convert: { source_format: sourceFormat, target_format: "webp" },
  });
  const file = new File(["abc"], "one.png");
  expect(await keyOf(file, convert("png"), "convert")).toBe(await keyOf(file, convert(""), "convert"));
});
