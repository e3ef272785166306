import { Copy, FolderDown, PencilLine, Share } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../../../ui/button.tsx";
import { finishedOf } from "../../state/summary.ts";
import { namesOf, patternFault, patternParts } from "../../work/download/name-pattern.ts";
import { supportedSaveMethods } from "../../work/download/save-methods.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** Ways to save results besides the download, each only if this browser supports it. */
export function SaveActions() {
  const studio = useStudio();
  const [isNaming, setIsNaming] = useState(false);
  const pictures = useStudioState((state) => state.pictures);
  const pattern = useStudioState((state) => state.namePattern);
  const run = useStudioState((state) => state.run);
  const tool = useStudioState((state) => state.tool);
  const ready = finishedOf({ pictures, run, tool });
  const supported = supportedSaveMethods(ready.map(({ result: { name, blob } }) => ({ name, blob })));
  const isTouch = matchMedia("(hover: none)").matches;
  const buttonProps = { kind: "quiet", size: "sm" } as const;
  return (
    <div className="mt-3 border-t border-line pt-2">
      <div className="-mx-3 flex flex-wrap">
        {supported.share && (
          <Button {...buttonProps} onClick={() => studio.shareAll()}>
            <Share aria-hidden className="size-3.5" />
            {isTouch ? "Share, or save to Photos" : "Share"}
          </Button>
        )}
        {supported.copy && (
          <Button {...buttonProps} onClick={() => studio.copyOne()}>
            <Copy aria-hidden className="size-3.5" />
            Copy
          </Button>
        )}
        {supported.folder && (
          <Button {...buttonProps} onClick={() => studio.saveToFolder()}>
            <FolderDown aria-hidden className="size-3.5" />
            Save to folder
          </Button>
        )}
        <Button {...buttonProps} aria-expanded={isNaming} onClick={() => setIsNaming(!isNaming)}>
          <PencilLine aria-hidden className="size-3.5" /> Rename{" "}
        </Button>
      </div>
      {isNaming && <NamePattern example={namesOf(pattern, ready)[0] ?? ""} />}
    </div>
  );
}

function NamePattern({ example }: { example: string }) {
  const studio = useStudio();
  const id = useId();
  const pattern = useStudioState((state) => state.namePattern);
  const fault = patternFault(pattern);
  return (
    <div className="mt-2 max-w-md pb-1">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        File names
      </label>
      <input
        id={id}
        value={pattern}
        placeholder="{name}-{width}w"
        autoComplete="off"
        spellCheck={false}
        aria-invalid={fault ? true : undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => studio.dispatch({ type: "names-set", pattern: target.value })}
        className="min-h-10 w-full rounded-md border border-edge bg-surface px-3 text-base aria-invalid:border-accent"
      />
      <p id={`${id}-hint`} aria-live="polite" className="mt-1.5 text-sm wrap-anywhere text-muted">
        {fault ? (
          <span className="text-accent-ink">{fault}</span>
        ) : (
          <>
            {patternParts.join(" ")} · First: {example}
          </>
        )}
      </p>
    </div>
  );
}
