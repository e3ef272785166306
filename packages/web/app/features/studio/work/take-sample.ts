import { text } from "@tintype/contract";
import type { Sample } from "../samples/samples.ts";
import type { StudioParts } from "../studio-parts.ts";

/** Lays one of our own pictures on the plate, with the tool and the settings that it shows best. */
export async function takeSample(
  { name, url, tool }: Sample,
  { store, addFiles }: Pick<StudioParts, "store"> & { addFiles(files: readonly File[]): Promise<void> },
): Promise<void> {
  try {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`The sample ${name} answered ${answer.status}`);
    const blob = await answer.blob();
    store.dispatch({ type: "tool-chosen", tool });
    if (tool === "convert") store.dispatch({ type: "setting-changed", tool, patch: { target_format: "webp" } });
    if (tool === "compress") store.dispatch({ type: "setting-changed", tool, patch: { quality: "70" } });
    await addFiles([new File([blob], name, { type: blob.type })]);
  } catch (problem) {
    store.dispatch({ type: "obstacle-met", obstacle: { field: "pictures", sentence: text.somethingWrong } });
    reportError(problem);
  }
}
