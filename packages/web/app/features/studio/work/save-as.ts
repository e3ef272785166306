import { formats } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { isPrivate } from "../../../lib/brand.ts";
import { saveBlob } from "../../../lib/save-blob.ts";
import type { PictureId } from "../state/picture.ts";
import { sha256 } from "./cache/sha-256.ts";
import { runOne } from "./run-one.ts";
import type { StudioParts } from "./studio-parts.ts";

export type SaveAs = {
  /** Downloads a result in another format. It costs nothing, or is not done. */
  saveAs(id: PictureId, format: "jpeg" | "webp"): Promise<void>;
};

export const createSaveAs = ({ store, api, notify }: StudioParts): SaveAs => ({
  async saveAs(id, format) {
    const outcome = store.read().pictures.find((picture) => picture.id === id)?.outcome;
    if (outcome?.kind !== "done") return;
    const { blob, name, sides, sizeBytes, format: from } = outcome.result;
    const file = new File([blob], name, { type: blob.type });
    const { label } = formats[format];
    try {
      const described = { format: from, width: sides.widthPx, height: sides.heightPx, size_bytes: sizeBytes };
      const json = {
        recipe: { steps: [{ convert: { target_format: format } }] },
        files: [{ ...described, sha256: await sha256(file) }],
      };
      const { continued } = await api.call("POST /quote", { json });
      // Later the server would charge a credit, which this button does not name.
      if (!isPrivate && continued.length === 0)
        return notify.info(`This result is too old to become a ${label} for free. Convert makes one for a credit.`);
      notify.info(`Making the ${label}. It is free.`);
      const { signal } = new AbortController();
      const made = await runOne(
        { api, file, path: "/convert/", fields: { target_format: format } },
        { signal, onProgress: () => undefined },
      );
      if (made.kind === "refused") return notify.error(made.sentence);
      saveBlob(made.blob, made.name);
      store.dispatch({ type: "results-saved", ids: [id] });
    } catch (problem) {
      notify.error(sentenceOf(problem));
    }
  },
});
