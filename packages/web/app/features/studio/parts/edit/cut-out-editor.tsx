import { Redo2, Undo2 } from "lucide-react";
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import type { EditSettings, Picture, Result } from "../../state/picture.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { useFramedUrl } from "../frame/framed-url.ts";
import { InInspector } from "../inspector.tsx";
import { BrushTools, type PaintTool } from "./brush-tools.tsx";
import { createEdgeFinder, type EdgeFinder } from "./edge-finder.ts";
import { EditCanvas } from "./edit-canvas.tsx";
import { EditFields } from "./edit-fields.tsx";
import { editCutOut, editOf, overSentence, whyNoEdit } from "./edit-settings.ts";
import { type Brush, patchBetween } from "./matte.ts";
import { type OpenCutOut, openCutOut } from "./open-cut-out.ts";
import { type Strokes, useStrokes } from "./use-strokes.ts";

type Props = { picture: Picture; result: Result; job: NonNullable<Result["job"]>; onClose(): void };

/** Edits a finished cut-out free of charge: background, shadow, crop, and a brush for its matte. Default export for `lazy`. */
export default function CutOutEditor({ picture, result, job, onClose }: Props) {
  const api = useApi();
  const studio = useStudio();
  const order = useStudioState(({ run }) => run?.orders.get(picture.id));
  const originalUrl = useFramedUrl(picture, order?.frame);
  const [open, setOpen] = useState<OpenCutOut & { before: Uint8Array }>();
  const [fault, setFault] = useState<string>();
  const [tries, setTries] = useState(0);
  const [isApplying, setIsApplying] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const [first] = useState(() => editOf(result, order));
  const [edit, setEdit] = useState<EditSettings>(first);
  const [tool, setTool] = useState<PaintTool>("move");
  const [brush, setBrush] = useState({ size: 40, hardness: 0.7 });
  const [zoom, setZoom] = useState(1);
  const [version, setVersion] = useState(0);
  const [isSmart, setIsSmart] = useState(true);
  const isMounted = useIsMounted();
  const settling = useRef<Promise<void>>(undefined);
  const finder = useEdgeFinder(open?.original, { isWanted: isSmart && tool !== "move", settling });
  const strokes = useStrokes(open?.matte, {
    findEdges: finder?.find,
    onChange: () => setVersion((count) => count + 1),
  });
  const backdrop = useBitmap(edit.picture);
  const isWaitingForOriginal = picture.preview.kind === "pending" || (picture.preview.kind === "shown" && !originalUrl);

  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once per job, and again on a retry
  useEffect(() => {
    if (isWaitingForOriginal) return;
    const abort = new AbortController();
    openCutOut(api, { job, candidate: first.candidate, originalUrl, signal: abort.signal })
      .then((opened) => {
        if (abort.signal.aborted) return closeBitmaps(opened);
        const editedMattes = result.edit?.editedMattes.get(first.candidate);
        const matte = editedMattes ? { ...editedMattes, values: editedMattes.values.slice() } : opened.matte;
        setOpen({ ...opened, matte, before: opened.matte.values.slice() });
      })
      .catch((problem: unknown) => abort.signal.aborted || setFault(whyNoEdit(problem)));
    return () => abort.abort();
  }, [job.id, job.index, tries, isWaitingForOriginal]);

  useEffect(() => {
    if (!open) return;
    return () => {
      const close = () => closeBitmaps(open);
      if (settling.current) void settling.current.finally(close);
      else close();
    };
  }, [open]);

  async function apply() {
    if (!open || isApplying) return;
    setIsApplying(true);
    setFault(undefined);
    try {
      settling.current = strokes.settled();
      await settling.current;
      settling.current = undefined;
      const editedMattes = new Map(result.edit?.editedMattes);
      if (patchBetween(open.before, open.matte)) editedMattes.set(first.candidate, open.matte);
      else editedMattes.delete(first.candidate);
      const edited = await editCutOut(api, { job, settings: edit, editedMattes });
      studio.dispatch({ type: "result-edited", id: picture.id, result: edited });
      // Another picture may have been selected meanwhile: do not close its editor.
      if (isMounted.current) onClose();
    } catch (problem) {
      setFault(whyNoEdit(problem));
      setIsApplying(false);
    }
  }

  const isChanged = strokes.canUndo || edit !== first;
  function onKeyDown(event: KeyboardEvent) {
    // Otherwise the event bubbles to the stage, which closes the editor.
    if (event.key === "Escape" && (isApplying || (isChanged && !isLeaving))) event.preventDefault();
    setIsLeaving(event.key === "Escape" && isChanged && !isApplying);
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    if (event.shiftKey) strokes.redo();
    else strokes.undo();
  }

  if (!open)
    return (
      <div className="flex min-h-72 flex-1 flex-col items-center justify-center gap-3 p-6 text-center text-sm text-muted">
        <p role="status">{fault ?? "Opening the cut-out at full resolution"}</p>
        <div className="flex gap-2">
          {fault && fault !== overSentence && (
            <Button
              size="sm"
              onClick={() => {
                setFault(undefined);
                setTries((count) => count + 1);
              }}
            >
              Try again
            </Button>
          )}
          <Button size="sm" onClick={onClose}>
            Back
          </Button>
        </div>
      </div>
    );

  // In px of the picture: a size of 100 is one fifth of its longer side.
  const longer = Math.max(open.matte.width, open.matte.height);
  const painted: Brush | undefined =
    tool === "move"
      ? undefined
      : {
          kind: tool,
          sizePx: Math.max(2, ((brush.size / 100) ** 2 * longer) / 5),
          hardness: brush.hardness,
          isSmart,
        };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Undo and Escape wherever the focus is inside
    <div className="flex min-h-0 flex-1 flex-col" onKeyDown={onKeyDown}>
      <div className="relative flex min-h-0 flex-1 flex-col p-3">
        <EditCanvas
          {...{ open, edit, backdrop, strokes, zoom, version }}
          onZoom={setZoom}
          brush={painted}
          name={`Cut-out of ${picture.name}`}
        />
        <p
          role="status"
          className="pointer-events-none absolute bottom-5 left-1/2 w-max max-w-[90%] -translate-x-1/2 rounded-md bg-black/80 px-4 py-2 text-center text-sm text-ink empty:hidden"
        >
          {statusOf(strokes)}
        </p>
      </div>
      <InInspector isExclusive>
        <fieldset disabled={isApplying} className="flex flex-col gap-5 p-4 sm:p-6 md:p-4">
          <legend className="sr-only">Edit the cut-out</legend>
          <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
            <BrushTools
              {...{ tool, brush, zoom }}
              onTool={setTool}
              onBrush={setBrush}
              onZoom={setZoom}
              isSmart={finder !== undefined && isSmart}
            />
            <div className="flex gap-1">
              <Button kind="quiet" size="sm" disabled={!strokes.canUndo} onClick={strokes.undo}>
                <Undo2 aria-hidden className="size-4" />
                Undo
              </Button>
              <Button kind="quiet" size="sm" disabled={!strokes.canRedo} onClick={strokes.redo}>
                <Redo2 aria-hidden className="size-4" />
                Redo
              </Button>
            </div>
          </div>
          {painted && finder && (
            <Switch
              label="Smart edges"
              hint="Paint roughly: the stroke follows the edges of the photo."
              isOn={isSmart}
              onChange={setIsSmart}
            />
          )}
          <EditFields edit={edit} onChange={(patch) => setEdit((now) => ({ ...now, ...patch }))} />
          <div className="inspector-foot">
            <div role="alert" className="mb-2 empty:hidden">
              {fault && <p className="text-sm text-accent-ink">{fault}</p>}
              {isLeaving && <p className="text-sm text-accent-ink">Press Esc again to discard your changes.</p>}
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <Button
                kind="primary"
                disabled={isApplying || (edit.ground === "picture" && !edit.picture)}
                onClick={apply}
              >
                {isApplying ? "Applying at full resolution" : "Apply"}
              </Button>
              <Button kind="quiet" onClick={onClose}>
                Cancel
              </Button>
              <span className="ml-auto text-sm text-muted">Free</span>
            </div>
          </div>
        </fieldset>
      </InInspector>
    </div>
  );
}

function statusOf({ isFindingEdges, hasFailed }: Strokes): string | undefined {
  if (isFindingEdges) return "Finding edges";
  return hasFailed ? "No edges were found. The stroke was left as you painted it." : undefined;
}

/**
 * Undefined without an original that the browser can decode. The worker starts before the first stroke. It ends with the editor, but only
 * after `settling` has resolved, so that strokes being applied get their edges.
 */
function useEdgeFinder(
  original: ImageBitmap | undefined,
  { isWanted, settling }: { isWanted: boolean; settling: RefObject<Promise<void> | undefined> },
): EdgeFinder | undefined {
  const finder = useMemo(() => original && createEdgeFinder(original), [original]);
  useEffect(() => {
    if (!finder) return;
    finder.open();
    return () => {
      if (settling.current) void settling.current.finally(finder.close);
      else finder.close();
    };
  }, [finder, settling]);
  useEffect(() => {
    if (isWanted) finder?.start();
  }, [finder, isWanted]);
  return finder;
}

/** Frees the bitmaps at once: each holds four bytes per pixel, otherwise until the next garbage collection. */
function closeBitmaps({ cutOut, original }: OpenCutOut): void {
  cutOut.close();
  original?.close();
}

function useIsMounted(): RefObject<boolean> {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/** Decodes a file; undefined if the browser cannot, in which case only the server uses it. */
function useBitmap(file: File | undefined): ImageBitmap | undefined {
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  useEffect(() => {
    setBitmap(undefined);
    if (!file) return;
    let isCurrent = true;
    createImageBitmap(file)
      .then((made) => (isCurrent ? setBitmap(made) : made.close()))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [file]);
  useEffect(() => () => bitmap?.close(), [bitmap]);
  return bitmap;
}
