import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Backend, Cache } from "@tintype/toolkit";
import { readPictureFacts, readStep } from "@tintype/toolkit";

/** Larger pictures in base64 fill a model's context. */
const maxPx = 512;

export type Preview = { data: string; mimeType: "image/jpeg" };

/** A result as a small JPEG, made on this computer; undefined if the file cannot be shown. */
export async function makePreview(
  path: string,
  { engine, cache, signal }: { engine: Backend; cache: Cache; signal: AbortSignal },
): Promise<Preview | undefined> {
  const facts = await readPictureFacts(path);
  if (!facts) return undefined;
  const isLarge = Math.max(facts.width, facts.height) > maxPx;
  const steps = [
    ...(isLarge ? [readStep("resize", { width: maxPx, height: maxPx, method: "fit" })] : []),
    ...(facts.format === "jpeg" ? [] : [readStep("convert", { target_format: "jpeg" })]),
  ];
  const [first, ...others] = steps;
  if (!first) return { data: (await readFile(path)).toString("base64"), mimeType: "image/jpeg" };
  const resultPath = join(await cache.scratch(), `preview-${crypto.randomUUID()}`);
  try {
    await engine.run({
      picture: { path, name: "preview", sizeBytes: facts.sizeBytes },
      work: { steps: [first, ...others] },
      resultPath,
      idempotencyKey: "",
      signal,
      progress: () => {},
    });
    return { data: (await readFile(resultPath)).toString("base64"), mimeType: "image/jpeg" };
  } finally {
    await rm(resultPath, { force: true });
  }
}
