import type { Report } from "@tintype/contract";
import { saveBlob } from "../../../lib/save-blob.ts";
import type { PictureId } from "../state/picture.ts";
import { isRecipe } from "../state/steps.ts";
import { finishedOf } from "../state/summary.ts";
import { namesOf, zipName } from "./download/name-pattern.ts";
import { reportedFile } from "./download/reported-file.ts";
import { copyPicture, isDismissed, saveIntoFolder, shareFiles } from "./download/save-methods.ts";
import type { StudioParts } from "./studio-parts.ts";

export type Downloads = {
  saveOne(id: PictureId): void;
  /** Downloads a single result under its own name, several as a ZIP with a report. By default all. */
  saveAll(ids?: ReadonlySet<PictureId>): Promise<void>;
  /** Saves each result into a folder that the user chooses. */
  saveToFolder(): Promise<void>;
  /** Opens the system's share sheet, for other apps or the photo library. */
  shareAll(): Promise<void>;
  /** Copies the single result to the clipboard as an image. */
  copyOne(): Promise<void>;
};

export function createDownloads({ store, notify }: StudioParts): Downloads {
  /** The results, named by the user's pattern. */
  const resultFiles = (existingNames: readonly string[] = []) => {
    const state = store.read();
    const ready = finishedOf(state);
    const names = namesOf(state.namePattern, ready, existingNames);
    return ready.map(({ result, ...one }, index) => ({ ...one, blob: result.blob, name: names[index] ?? "" }));
  };
  const markSaved = (files: readonly { picture: { id: PictureId } }[]) =>
    store.dispatch({ type: "results-saved", ids: files.map(({ picture }) => picture.id) });
  const saveOne = (id: PictureId) => {
    const found = resultFiles().find(({ picture }) => picture.id === id);
    if (!found) return;
    saveBlob(found.blob, found.name);
    markSaved([found]);
  };
  /** Reports a failure, unless the user only dismissed the system's dialog. */
  const attempt = async (sentence: string, action: () => Promise<void>) => {
    try {
      await action();
    } catch (problem) {
      if (!isDismissed(problem)) store.dispatch({ type: "save-failed", sentence });
    }
  };
  return {
    saveOne,
    async saveAll(ids) {
      const { pictures, run, tool } = store.read();
      const isChosen = ({ id }: { id: PictureId }) => ids === undefined || ids.has(id);
      const ready = resultFiles(["report.json"]).filter(({ picture }) => isChosen(picture));
      const [first] = ready;
      if (!first) return;
      if (ready.length === 1) return saveOne(first.picture.id);
      const nameOf = new Map(ready.map(({ picture, name }) => [picture, name]));
      const report: Report = {
        operation: run?.tool ?? tool,
        files: pictures.filter(isChosen).flatMap((picture) => reportedFile(picture, nameOf.get(picture)) ?? []),
      };
      const files = ready.map(({ name, blob }) => ({ name, blob }));
      const summary = { name: "report.json", blob: new Blob([`${JSON.stringify(report, null, 2)}\n`]) };
      // The browser may run out of memory for a second copy of all results.
      await attempt("The ZIP could not be created. Please download the results one by one.", async () => {
        const { zipOf } = await import("./download/zip-of.ts");
        const now = new Date();
        const name = zipName({ tool: run && isRecipe(run) ? undefined : first.tool, count: ready.length, now });
        saveBlob(await zipOf([...files, summary], now), name);
        markSaved(ready);
      });
    },
    saveToFolder: () =>
      attempt("Could not save to this folder. Please choose another one, or download the results.", async () => {
        const files = resultFiles();
        const folder = await saveIntoFolder(files, (existingNames) =>
          resultFiles(existingNames).map(({ name }) => name),
        );
        markSaved(files);
        notify.info(`Saved to ${folder}.`);
      }),
    shareAll: () =>
      attempt("The results could not be shared. Please download them.", async () => {
        const files = resultFiles();
        await shareFiles(files);
        markSaved(files);
      }),
    copyOne: () =>
      attempt("The browser blocked copying the image. Please download it.", async () => {
        const [file] = resultFiles();
        if (!file) return;
        await copyPicture(file);
        notify.info("Copied.");
      }),
  };
}
