import { useCallback } from "react";
import type { PictureId } from "../state/picture.ts";
import { shownOrder } from "../state/summary.ts";
import { useStudio, useStudioState } from "../studio-context.tsx";
import { ResultRow } from "./result-row.tsx";

/** A batch, picture by picture. One picture needs no list. Default export: it is loaded by `lazy`. */
export default function ResultList() {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const runTool = useStudioState((state) => state.run?.tool);
  const selectedId = useStudioState((state) => state.selectedId);
  const select = useCallback((id: PictureId) => studio.dispatch({ type: "picture-selected", id }), [studio]);
  const save = useCallback((id: PictureId) => studio.act((work) => work.saveOne(id)), [studio]);
  if (!runTool || pictures.length < 2) return null;
  return (
    <ul aria-label="Results" className="border-line px-2 py-2 sm:px-3 md:order-last md:col-span-2 md:border-t">
      {shownOrder(pictures, runTool).map((picture) => (
        <ResultRow
          key={picture.id}
          picture={picture}
          isSelected={picture.id === selectedId}
          onSelect={select}
          onSave={save}
        />
      ))}
    </ul>
  );
}
