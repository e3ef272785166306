import { type OperationName, tasks } from "@tintype/contract";
import { countOf, formatChange, formatSides } from "../../../lib/size.ts";
import { isDrawn, type Picture, type Result } from "./picture.ts";
import { isRecipe, stepNames } from "./steps.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { StudioState } from "./studio-state.ts";
import { summarise } from "./summary.ts";

export const serverLost =
  "The server cannot be reached. If it is back within 15 minutes, your batch continues by itself.";

/** What a screen reader announces for an event: each picture added, finished or failed, and how a run ends. */
export function announcementsOf(event: StudioEvent, before: StudioState, after: StudioState): string[] {
  switch (event.type) {
    case "pictures-added":
      return [...additionSentences(event.pictures), ...event.refusals];
    case "pictures-removed": {
      const gone = before.pictures.filter(({ id }) => !after.pictures.some((one) => one.id === id));
      const [first] = gone;
      if (!first) return [];
      return [gone.length === 1 ? `${first.name} removed.` : `${countOf(gone.length, "image")} removed.`];
    }
    case "pictures-cleared":
      return ["All images removed."];
    case "removal-undone": {
      const count = after.pictures.length - before.pictures.length;
      return count > 0 ? [`${countOf(count, "image")} back.`] : [];
    }
    case "steps-chosen": {
      const names = stepNames(after.steps).map((name) => tasks[name].label.toLowerCase());
      return before.steps.length === after.steps.length
        ? []
        : [`${countOf(names.length, "step")}: ${names.join(", ")}.`];
    }
    case "picture-judged": {
      const [now, was] = [after, before].map(({ pictures }) => pictures.find(({ id }) => id === event.id)?.fault);
      return now && !was ? [now] : [];
    }
    case "prepared": {
      const { reused } = event;
      if (before === after) return [];
      return [
        ...(reused.length > 0 ? [`${countOf(reused.length, "result")} already here. No credits were used.`] : []),
        ...(after.run?.phase === "sending" ? [`Sending ${countOf(after.run.ids.length, "image")}.`] : []),
      ];
    }
    case "upload-delayed":
      return event.isNews && before !== after ? [`${event.reason} Trying again.`] : [];
    case "link-changed":
      return event.isNews && event.link !== "live" && linkOf(before) === "live" ? ["The connection was lost."] : [];
    case "connection-lost":
      // Only once, however many retries failed since.
      return before === after || before.announcements.at(-1)?.sentence === serverLost ? [] : [serverLost];
    case "tool-chosen":
    case "results-adopted":
      return after.earlierRuns.length > before.earlierRuns.length ? ["The results are now the input."] : [];
    case "originals-chosen":
      return before === after ? [] : ["The originals are now the input."];
    default:
      return [...outcomeSentences(before, after), ...endSentences(before, after)];
  }
}

function additionSentences(pictures: readonly Picture[]): string[] {
  const [first] = pictures;
  if (!first) return [];
  return [pictures.length === 1 ? `${first.name} added.` : `${countOf(pictures.length, "image")} added.`];
}

/** Pictures whose outcome became final between the two states. */
function outcomeSentences(before: StudioState, after: StudioState): string[] {
  if (before.pictures === after.pictures) return [];
  const old = new Map(before.pictures.map((picture) => [picture.id, picture.outcome.kind]));
  return after.pictures.flatMap((picture) =>
    old.get(picture.id) === picture.outcome.kind
      ? []
      : outcomeSentence(picture, after, after.run && isRecipe(after.run) ? undefined : after.run?.tool),
  );
}

const linkOf = ({ run }: StudioState) => (run && "link" in run ? run.link : undefined);

function outcomeSentence(picture: Picture, { run }: StudioState, tool: OperationName | undefined): string[] {
  const { name, outcome } = picture;
  switch (outcome.kind) {
    case "done":
      return [`${name} finished, ${gainOf(picture, outcome.result, tool)}.`];
    case "held":
      return [`${name} finished. Keep or discard it.`];
    case "failed":
      return [`${name} failed. ${outcome.reason}`];
    case "unchanged":
      return [`${name} is unchanged. ${outcome.reason}`];
    case "cancelled": // one picture of a running batch; the end of a whole batch has its own announcement
      return run?.phase === "ended" ? [] : [`${name} cancelled.`];
    default:
      return [];
  }
}

/** The tool's gain: bytes of a compressed or converted picture, pixels of a resized or enlarged one. */
function gainOf(picture: Picture, { sizeBytes, sides }: Result, tool: OperationName | undefined): string {
  if (tool === "remove-background") return "cut out";
  if (tool === "resize" || tool === "upscale" || isDrawn(picture))
    return `${formatSides(sides.widthPx, sides.heightPx)} pixels`;
  return formatChange(picture.sizeBytes, sizeBytes);
}

/** The announcement of a run's end. A batch that failed as a whole shows its reason in an alert instead. */
function endSentences(before: StudioState, { run, pictures }: StudioState): string[] {
  if (run?.phase !== "ended" || run.ending === "failed" || !before.run || before.run.phase === "ended") return [];
  const { ending } = run;
  const { done, failed, unchanged } = summarise(pictures);
  if (ending === "cancelled") return [`Cancelled.${done === 0 ? "" : ` ${countOf(done, "image")} ready to download.`}`];
  if (unchanged > 0 && done + failed === 0) return []; // each was announced with its reason
  const rest = failed === 0 ? "" : ` ${countOf(failed, "image")} failed.`;
  return [`Finished. ${countOf(done, "image")} ready to download.${rest}`];
}
