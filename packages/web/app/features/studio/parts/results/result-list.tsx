import { memo, useCallback, useRef, useState } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { formatBytes, formatNumber } from "../../../../lib/size.ts";
import { hasCustomOptions } from "../../state/order.ts";
import type { Picture, PictureId } from "../../state/picture.ts";
import { cancellableIds, type StudioState } from "../../state/studio-state.ts";
import { inGroup, type ResultGroup, resultGroups, shownOrder, summarise } from "../../state/summary.ts";
import { useStateForList, useStudio } from "../../work/studio-context.tsx";
import { queuePosition } from "../stage/work-overlay.tsx";
import { isAboutBytes } from "./end-sentences.ts";
import { ResultRow } from "./result-row.tsx";

/** A list of this many pictures or more has filters and totals. */
const groupsFrom = 8;

/** The pictures of a batch. A single picture needs no list. */
export function ResultList() {
  return <List state={useStateForList()} />;
}

const List = memo(function List({ state }: { state: StudioState }) {
  const studio = useStudio();
  const { pictures, run, selectedId } = state;
  const [chosen, setChosen] = useState<ResultGroup>("all");
  const select = useCallback((id: PictureId) => studio.dispatch({ type: "picture-selected", id }), [studio]);
  const list = useRef<HTMLUListElement>(null);
  const cancel = useCallback(
    (id: PictureId) => {
      // The button disappears when the picture is cancelled, so focus the next one.
      const present: ReadonlySet<string | undefined> = cancellableIds(studio.read());
      const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-cancel]") ?? [])].filter(({ dataset }) =>
        present.has(dataset["cancel"]),
      );
      const at = buttons.findIndex(({ dataset }) => dataset["cancel"] === id);
      const next = buttons[at + 1] ?? buttons[at - 1] ?? buttons[at]?.closest("li")?.querySelector("button");
      next?.focus();
      studio.dispatch({ type: "picture-cancelled", id });
    },
    [studio],
  );
  const save = useCallback((id: PictureId) => studio.saveOne(id), [studio]);
  if (!run || pictures.length < 2) return null;
  const cancellable = cancellableIds(state);
  const showsBytes = isAboutBytes(run);
  const hasGroups = pictures.length >= groupsFrom;
  // An emptied group would show an empty list without an explanation.
  const group = hasGroups && inGroup(pictures, chosen).length > 0 ? chosen : "all";
  return (
    <div className="@container min-w-0 px-2 py-2 sm:px-4 md:px-2">
      {hasGroups && <Groups pictures={pictures} group={group} onChoose={setChosen} />}
      <ul ref={list} aria-label="Results" className="md:max-h-[45dvh] md:overflow-y-auto">
        {shownOrder(inGroup(pictures, group), run.tool).map((picture) => (
          <ResultRow
            key={picture.id}
            picture={picture}
            isSelected={picture.id === selectedId}
            hasCustomOptions={hasCustomOptions(picture, run.tool)}
            showsBytes={showsBytes}
            position={picture.outcome.kind === "waiting" ? queuePosition(run) : undefined}
            mayCancel={cancellable.has(picture.id)}
            onSelect={select}
            onSave={save}
            onCancel={cancel}
          />
        ))}
      </ul>
    </div>
  );
});

type GroupsProps = { pictures: readonly Picture[]; group: ResultGroup; onChoose(group: ResultGroup): void };

/** The filters of a long list, and its totals. */
function Groups({ pictures, group, onChoose }: GroupsProps) {
  const { beforeBytes, afterBytes } = summarise(pictures);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-2 pt-1 pb-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
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
