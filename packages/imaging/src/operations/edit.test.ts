import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "@tintype/contract";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { createModels } from "../model/session.ts";
import { testLimits } from "../testing/run-operation.ts";
import { edit } from "./edit.ts";
import { openTask } from "./operation.ts";

const path = (name: string) => join(tmpdir(), `edit-${process.pid}-${name}`);
const picture = (width: number, channels: 3 | 4) =>
  sharp({ create: { width, height: 20, channels, background: "#c41" } })
    .png()
    .toBuffer();
afterAll(() =>
  Promise.all(["original", "matte", "background", "input", "output"].map((name) => rm(path(name), { force: true }))),
);

test.each([
  ["blurred", { blur: 20 }, {}],
  ["with a matte", {}, { matte: path("matte") }],
])("a cut-out is not edited with an original of another size: %s", async (_, options, more) => {
  await writeFile(path("original"), await picture(60, 3));
  await writeFile(path("matte"), await picture(40, 3));
  await writeFile(path("input"), await picture(40, 4));
  const given = { candidate: 1, shadow: 0, crop: false, margin: 0, mask_only: false, ...options };
  const paths = {
    inputPath: path("input"),
    outputPath: path("output"),
    auxiliaryPaths: { original: path("original"), ...more },
  };
  const context = {
    signal: new AbortController().signal,
    progress: () => {},
    models: createModels(),
  };
  const task = await openTask({ name: "edit", options: given, limits: testLimits, ...paths });
  await expect(edit(task, context)).rejects.toMatchObject({
    code: "cannot-process",
    detail: "The original has 60 x 20 pixels; the cut-out has 40 x 20.",
  });
});

const noise = Buffer.from(Array.from({ length: 40 * 20 * 3 }, (_, i) => (i * i * 7) % 251));
const noisy = () => sharp(noise, { raw: { width: 40, height: 20, channels: 3 } });
const damaged = {
  PNG: () => noisy().png().toBuffer(),
  JPEG: () => noisy().jpeg().toBuffer(),
  WebP: () => noisy().webp().toBuffer(),
  GIF: () => noisy().gif().toBuffer(),
  TIFF: () => noisy().tiff({ compression: "lzw" }).toBuffer(),
};

test.each(
  Object.keys(damaged).flatMap((format) =>
    [
      ["matte", "Matte", "matte"],
      ["background", "Background image", "background"],
    ].map(([role, name, option]) => [format, role, name, option] as [keyof typeof damaged, string, string, string]),
  ),
)(
  "a damaged %s as %s is used or refused by its name, and never the engine's fault",
  async (format, role, name, option) => {
    await writeFile(path("original"), await picture(40, 3));
    await writeFile(path("input"), await picture(40, 4));
    const whole = await damaged[format]();
    const damage = fc.oneof(
      fc.record({ length: fc.nat(whole.length - 1) }),
      fc.record({ at: fc.nat(whole.length - 1), value: fc.nat(255) }),
    );
    const options = { candidate: 1, shadow: 0, crop: false, margin: 0, mask_only: false };
    const paths = { inputPath: path("input"), outputPath: path("output") };
    const context = { signal: new AbortController().signal, progress: () => {}, models: createModels() };
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(damage, async (change) => {
        const bytes = Buffer.from(whole);
        if ("at" in change) bytes[change.at] = change.value;
        await writeFile(path(role), "length" in change ? bytes.subarray(0, change.length) : bytes);
        const task = {
          name: "edit" as const,
          options,
          limits: testLimits,
          ...paths,
          auxiliaryPaths: { original: path("original"), [option]: path(role) },
        };
        try {
          await edit(await openTask(task), context);
          expect((await readFile(path("output"))).length).toBeGreaterThan(0);
        } catch (problem) {
          expect(problem).toBeInstanceOf(DomainError);
          const { code, detail } = problem as DomainError;
          expect(code).toMatch(/^(broken-image|cannot-process|not-an-image|too-many-pixels)$/);
          expect(detail).toMatch(new RegExp(`^(${name}: |The ${role} has )`));
          refused++;
        }
      }),
      { numRuns: 60 },
    );
    expect(refused).toBeGreaterThan(0);
  },
);
