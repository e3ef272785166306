import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { createModels } from "../model/session.ts";
import { testLimits } from "../testing/run-operation.ts";
import { edit } from "./edit.ts";

const path = (name: string) => join(tmpdir(), `edit-${process.pid}-${name}`);
const picture = (width: number, channels: 3 | 4) =>
  sharp({ create: { width, height: 20, channels, background: "#c41" } })
    .png()
    .toBuffer();
afterAll(() => Promise.all(["original", "matte", "input", "output"].map((name) => rm(path(name), { force: true }))));

test.each([
  ["blurred", { blur: 20 }, {}],
  ["with a matte", {}, { mattePath: path("matte") }],
])("a cut-out is not edited with an original of another size: %s", async (_, options, more) => {
  await writeFile(path("original"), await picture(60, 3));
  await writeFile(path("matte"), await picture(40, 3));
  await writeFile(path("input"), await picture(40, 4));
  const given = { candidate: 1, shadow: 0, crop: false, margin: 0, mask_only: false, ...options };
  const paths = { inputPath: path("input"), outputPath: path("output"), originalPath: path("original"), ...more };
  const context = {
    signal: new AbortController().signal,
    progress: () => {},
    models: createModels(),
  };
  await expect(edit({ name: "edit", options: given, limits: testLimits, ...paths }, context)).rejects.toMatchObject({
    code: "cannot-process",
    detail: "The original has 60 x 20 pixels; the cut-out has 40 x 20.",
  });
});
