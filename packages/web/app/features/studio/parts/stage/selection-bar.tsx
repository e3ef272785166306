import { Suspense, useState } from "react";
import { createPortal } from "react-dom";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { Button } from "../../../../ui/button.tsx";
import type { Picture, PictureId } from "../../state/picture.ts";
import { retryable } from "../../state/retryable.ts";
import { cancellableIds, isRunning } from "../../state/studio-state.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

const CustomOptionsDialog = lazyChunk(() => import("../options/custom-options-dialog.tsx"));

type Props = {
  /** The pictures that the grid shows. */
  order: readonly PictureId[];
  onRemove(): void;
  onDecide(decision: "keep" | "discard"): void;
  onEmptied(): void;
};

/** Actions for the selected pictures. Submit applies to them too. */
export function SelectionBar({ order, onRemove, onDecide, onEmptied }: Props) {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const selection = useStudioState((state) => state.selection);
  const run = useStudioState((state) => state.run);
  const isWorking = useStudioState(isRunning);
  const cancellable = useStudioState((state) => {
    const ids = cancellableIds(state);
    return [...state.selection].some((id) => ids.has(id));
  });
  const [choosing, setChoosing] = useState<"open" | "closed">();
  const selected = pictures.filter(({ id }) => selection.has(id));
  const [first, ...more] = selected.filter(({ file, fault }) => file !== undefined && fault === undefined);
  const idsOf = (all: readonly Picture[]) => all.map(({ id }) => id);
  const done = idsOf(selected.filter(({ outcome }) => outcome.kind === "done"));
  const held = selected.filter(({ outcome }) => outcome.kind === "held").length;
  const retries = idsOf(retryable({ run, pictures: selected }));
  const select = (ids: Iterable<PictureId>) => studio.dispatch({ type: "selection-changed", ids: new Set(ids) });
  const selectNone = () => {
    select([]);
    onEmptied();
  };
  return (
    <div className="flex min-h-13 flex-wrap items-center gap-1 border-t border-line px-3 py-2 sm:px-4">
      <p role="status" className="mr-auto text-sm text-muted">
        {selected.length === 0
          ? `None selected: Submit runs all ${pictures.length}`
          : `${selected.length} of ${pictures.length} selected`}
      </p>
      {held > 0 && (
        <>
          <Button kind="quiet" size="sm" title="Keep (K)" aria-keyshortcuts="K" onClick={() => onDecide("keep")}>
            Keep {held}
          </Button>
          <Button kind="quiet" size="sm" title="Discard (X)" aria-keyshortcuts="X" onClick={() => onDecide("discard")}>
            Discard {held}
          </Button>
        </>
      )}
      {done.length > 0 && (
        <Button kind="quiet" size="sm" onClick={() => studio.saveAll(new Set(done))}>
          Download
        </Button>
      )}
      {retries.length > 0 && !isWorking && (
        <Button kind="quiet" size="sm" onClick={() => studio.dispatch({ type: "retried", ids: new Set(retries) })}>
          Retry {retries.length}
        </Button>
      )}
      {selected.length > 0 && !isWorking && first && (
        <Button kind="quiet" size="sm" onClick={() => setChoosing("open")}>
          Custom options
        </Button>
      )}
      {selected.length > 0 && !isWorking && (
        <Button kind="quiet" size="sm" onClick={onRemove}>
          Remove selected
        </Button>
      )}
      {cancellable && (
        <Button kind="quiet" size="sm" onClick={onRemove}>
          Cancel selected
        </Button>
      )}
      {selected.length < pictures.length && (
        <Button kind="quiet" size="sm" onClick={() => select(order)}>
          Select all
        </Button>
      )}
      {selected.length > 0 && (
        <Button kind="quiet" size="sm" onClick={selectNone}>
          Select none
        </Button>
      )}
      {choosing &&
        first &&
        createPortal(
          <Suspense fallback={null}>
            <CustomOptionsDialog
              pictures={[first, ...more]}
              isOpen={choosing === "open"}
              onClose={() => setChoosing("closed")}
            />
          </Suspense>,
          document.body,
        )}
    </div>
  );
}
