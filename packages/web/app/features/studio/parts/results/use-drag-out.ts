import type { DragEvent } from "react";
import type { PictureId } from "../../state/picture.ts";
import { finishedOf } from "../../state/summary.ts";
import { namesOf } from "../../work/download/name-pattern.ts";
import { canDragOut, dragOut } from "../../work/download/save-methods.ts";
import { useStudio } from "../../work/studio-context.tsx";

type Dragged = { draggable: true; onDragStart(event: DragEvent): void };

/** Props that make dragging an element carry a result as a file; undefined if the browser does not support it. */
export function useDragOut(id: PictureId | undefined): Dragged | undefined {
  const studio = useStudio();
  if (!id || !canDragOut()) return undefined;
  return {
    draggable: true,
    onDragStart({ dataTransfer }) {
      const state = studio.read();
      const ready = finishedOf(state);
      const index = ready.findIndex(({ picture }) => picture.id === id);
      const blob = ready[index]?.result.blob;
      const name = namesOf(state.namePattern, ready)[index];
      if (!blob || !name) return;
      window.addEventListener("dragend", dragOut(dataTransfer, { name, blob }), { once: true });
    },
  };
}
