import { productName, reportOf, uniqueNames } from "@tintype/contract";
import { downloadZip } from "client-zip";
import { saveBlob } from "../../../lib/save-blob.ts";
import { reportedFile } from "../download/reported-file.ts";
import type { PictureId } from "../state/picture.ts";
import type { StudioParts } from "../studio-parts.ts";

export type Downloads = {
  saveOne(id: PictureId): void;
  /** The one result by its own name, several as a ZIP with a report. */
  saveAll(): Promise<void>;
};

export function createDownloads({ store }: StudioParts): Downloads {
  const finished = () =>
    store
      .read()
      .pictures.flatMap((picture) =>
        picture.outcome.kind === "done" ? [{ picture, result: picture.outcome.result }] : [],
      );
  const saveOne = (id: PictureId) => {
    const found = finished().find(({ picture }) => picture.id === id);
    if (!found) return;
    saveBlob(found.result.blob, found.result.name);
    store.dispatch({ type: "results-saved", ids: [id] });
  };
  return {
    saveOne,
    async saveAll() {
      const { pictures, run, tool } = store.read();
      const ready = finished();
      const [first] = ready;
      if (!first) return;
      if (ready.length === 1) return saveOne(first.picture.id);
      const names = uniqueNames(["report.json", ...ready.map(({ result }) => result.name)]).slice(1);
      const nameOf = new Map(ready.map(({ picture }, index) => [picture, names[index] ?? ""]));
      const report = reportOf({
        operation: run?.tool ?? tool,
        files: pictures.flatMap((picture) => reportedFile(picture, nameOf.get(picture)) ?? []),
      });
      const lastModified = new Date();
      const files = ready.map(({ result: { blob } }, index) => ({
        name: names[index] ?? "",
        input: blob,
        lastModified,
      }));
      const summary = { name: "report.json", input: `${JSON.stringify(report, null, 2)}\n`, lastModified };
      try {
        saveBlob(await downloadZip([...files, summary]).blob(), `${productName.toLowerCase()}.zip`);
        store.dispatch({ type: "results-saved", ids: ready.map(({ picture }) => picture.id) });
      } catch {
        // The browser has no room for a second copy of all of them.
        const sentence = "The ZIP could not be made. Please download the results one by one.";
        store.dispatch({ type: "save-failed", sentence });
      }
    },
  };
}
