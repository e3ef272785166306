import { useCallback, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { formatBytes, formatNumber } from "../../../../lib/size.ts";
import type { Picture, PictureId } from "../../state/picture.ts";
import { inGroup, type ResultGroup, resultGroups, shownOrder, summarise } from "../../state/summary.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";
import { ResultRow } from "./result-row.tsx";

/** From this many pictures on the list has groups and totals. */
const groupsFrom = 8;

/** A batch, picture by picture. One picture needs no list. */
export function ResultList() {
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const runTool = useStudioState((state) => state.run?.tool);
  const selectedId = useStudioState((state) => state.selectedId);
  const [chosen, setChosen] = useState<ResultGroup>("all");
  const select = useCallback((id: PictureId) => studio.dispatch({ type: "picture-selected", id }), [studio]);
  const list = useRef<HTMLUListElement>(null);
  const cancel = useCallback(
    (id: PictureId) => {
      // The button goes with the cancelling; the next one takes the focus.
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-cancel]") ?? [])];
      const at = buttons.findIndex(({ dataset }) => dataset["cancel"] === id);
      const next = buttons[at + 1] ?? buttons[at - 1] ?? buttons[at]?.closest("li")?.querySelector("button");
      next?.focus();
      studio.dispatch({ type: "picture-cancelled", id });
    },
    [studio],
  );
  const save = useCallback((id: PictureId) => studio.saveOne(id), [studio]);
  if (!runTool || pictures.length < 2) return null;
  const hasGroups = pictures.length >= groupsFrom;
  // A group that has become empty would leave nothing to see, and no reason why.
  const group = hasGroups && inGroup(pictures, chosen).length > 0 ? chosen : "all";
  return (
    <div className="min-w-0 border-line px-2 py-2 sm:px-3 md:order-last md:col-span-2 md:border-t">
      {hasGroups && <Groups pictures={pictures} group={group} onChoose={setChosen} />}
      <ul ref={list} aria-label="Results">
        {shownOrder(inGroup(pictures, group), runTool).map((picture) => (
          <ResultRow
            key={picture.id}
            picture={picture}
            isSelected={picture.id === selectedId}
            onSelect={select}
            onSave={save}
            onCancel={cancel}
          />
        ))}
      </ul>
    </div>
  );
}

type GroupsProps = { pictures: readonly Picture[]; group: ResultGroup; onChoose(group: ResultGroup): void };

/** Which pictures of a long list are shown, and what they come to. */
function Groups({ pictures, group, onChoose }: GroupsProps) {
  const { beforeBytes, afterBytes } = summarise(pictures);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-2 pt-1 pb-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would want a legend to be seen */}
      <div role="group" aria-label="Show" className="-mx-2 flex flex-wrap">
        {resultGroups.map(({ value, label }) => {
          const count = inGroup(pictures, value).length;
          return (
            <button
              key={value}
              type="button"
              aria-pressed={value === group}
              disabled={count === 0}
              onClick={() => onChoose(value)}
              className={joinClasses(
                "min-h-8 rounded-md px-2.5 text-sm transition-colors disabled:opacity-55",
                value === group ? "bg-sunken font-medium text-ink" : "text-muted hover:text-ink",
              )}
            >
              {label} <span className="tabular-nums">{formatNumber(count)}</span>
            </button>
          );
        })}
      </div>
      {beforeBytes > 0 && (
        <p className="ml-auto text-sm text-muted tabular-nums">
          {formatBytes(beforeBytes)} to {formatBytes(afterBytes)}
        </p>
      )}
    </div>
  );
}
