import type { OperationName } from "@tintype/contract";
import { expect, test } from "vitest";
import type { Order } from "../../state/order.ts";
import type { ToolSettings } from "../../state/settings.ts";
import { writeStep } from "../../state/steps.ts";
import prepared from "../samples/prepared.json" with { type: "json" };
import { createFingerprints, workKey } from "./work-key.ts";

const at = (quality: string) => ({ quality });
const order = (tool: OperationName, settings: ToolSettings): Order => ({
  tool,
  settings,
  cursor: 0,
  frame: undefined,
  steps: [writeStep(tool, settings)],
});

async function keyOf(file: File, settings: ToolSettings, tool: "compress" | "convert" = "compress") {
  const fingerprints = createFingerprints();
  await fingerprints.of(file);
  return workKey(order(tool, settings), file, (one) => fingerprints.known(one) ?? "");
}

test("the same bytes and options are the same work, whatever the file is called", async () => {
  const one = await keyOf(new File(["abc"], "one.png"), at("70"));
  expect(await keyOf(new File(["abc"], "two.png"), at("70"))).toBe(one);
  expect(await keyOf(new File(["abd"], "one.png"), at("70"))).not.toBe(one);
  expect(await keyOf(new File(["abc"], "one.png"), at("71"))).not.toBe(one);
});

test("a believed source format changes no result, and so no key", async () => {
  const convert = (sourceFormat: "png" | "") => ({ source_format: sourceFormat, target_format: "webp" });
  const file = new File(["abc"], "one.png");
  expect(await keyOf(file, convert("png"), "convert")).toBe(await keyOf(file, convert(""), "convert"));
});

test("the results that ship with the samples have the keys of their settings", async () => {
  const { results } = prepared;
  expect(results.length).toBeGreaterThan(5);
  for (const { key, tool: name } of results) {
    const [tool, options, hash] = key as [OperationName, Record<string, string>, string]; // as scripts/pictures/samples.mjs writes it
    expect(tool).toBe(name);
    expect(workKey(order(tool, options), new File([], "a"), () => hash)).toBe(JSON.stringify(key));
  }
});
