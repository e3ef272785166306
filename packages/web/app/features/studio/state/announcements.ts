import { type OperationName, tasks } from "@tintype/contract";
import { countOf, formatChange, formatSides } from "../../../lib/size.ts";
import type { Picture, Result } from "./picture.ts";
import { stepNames } from "./steps.ts";
import type { StudioEvent } from "./studio-event.ts";
import type { Link, StudioState } from "./studio-state.ts";
import { summarise } from "./summary.ts";

/** The sentences that a screen reader gets of an event: each picture added, finished or failed, and how a run ends. */
export function announcementsOf(event: StudioEvent, before: StudioState, after: StudioState): string[] {
  switch (event.type) {
    case "pictures-added":
      return [...added(event.pictures), ...event.refusals];
    case "picture-removed": {
      const gone = before.pictures.find(({ id }) => id === event.id);
      return gone && before !== after ? [`${gone.name} removed.`] : [];
    }
    case "pictures-removed": {
      const count = before.pictures.length - after.pictures.length;
      return count > 0 ? [`${countOf(count, "picture")} removed.`] : [];
    }
    case "pictures-cleared":
      return ["All pictures removed."];
    case "removal-undone": {
      const count = after.pictures.length - before.pictures.length;
      return count > 0 ? [`${countOf(count, "picture")} back.`] : [];
    }
    case "steps-chosen": {
      const names = stepNames(after).map((name) => tasks[name].label.toLowerCase());
      return before.others === after.others ? [] : [`${countOf(names.length, "step")}: ${names.join(", ")}.`];
    }
    case "picture-judged": {
      const [now, was] = [after, before].map(({ pictures }) => pictures.find(({ id }) => id === event.id)?.fault);
      return now && !was ? [now] : [];
    }
    case "results-recalled":
      return [`${countOf(event.results.length, "result")} here already. No credit was used.`];
    case "obstacle-met":
      return []; // shown in an alert of its own
    case "run-started":
      return [`Sending ${countOf(event.ids.length, "picture")}.`];
    case "upload-delayed":
      return event.isNews ? [`${event.reason} Trying again.`] : [];
    case "link-changed":
      return event.isNews ? linkSentence(event.link, linkOf(before)) : [];
    case "run-failed":
      return []; // its reason is shown in an alert
    case "run-ended":
      return [...changed(before, after), ...endOf(event.ending, after)];
    default:
      return changed(before, after);
  }
}

function added(pictures: readonly Picture[]): string[] {
  const [first] = pictures;
  if (!first) return [];
  return [pictures.length === 1 ? `${first.name} added.` : `${countOf(pictures.length, "picture")} added.`];
}

/** Pictures whose outcome became final between the two states. */
function changed(before: StudioState, after: StudioState): string[] {
  if (before.pictures === after.pictures) return [];
  const old = new Map(before.pictures.map((picture) => [picture.id, picture.outcome.kind]));
  return after.pictures.flatMap((picture) =>
    old.get(picture.id) === picture.outcome.kind
      ? []
      : outcomeSentence(picture, after.run?.others ? undefined : after.run?.tool),
  );
}

function linkSentence(link: Link, before: Link | undefined): string[] {
  if (link === "lost") return ["The server cannot be reached. Your batch is kept for 15 minutes."];
  return link !== "live" && before === "live" ? ["The connection is interrupted."] : [];
}

const linkOf = ({ run }: StudioState) => (run && "link" in run ? run.link : undefined);

function outcomeSentence({ name, sizeBytes, outcome }: Picture, tool: OperationName | undefined): string[] {
  switch (outcome.kind) {
    case "done":
      return [`${name} finished, ${gainOf(sizeBytes, outcome.result, tool)}.`];
    case "failed":
      return [`${name} failed. ${outcome.reason}`];
    case "unchanged":
      return [`${name} is unchanged. ${outcome.reason}`];
    default:
      return [];
  }
}

/** The tool's gain: bytes of a compressed or converted picture, pixels of a resized or enlarged one. */
function gainOf(sourceBytes: number, { sizeBytes, sides }: Result, tool: OperationName | undefined): string {
  if (tool === "remove-background") return "cut out";
  if (tool === "resize" || tool === "upscale") return `${formatSides(sides.widthPx, sides.heightPx)} pixels`;
  return formatChange(sourceBytes, sizeBytes);
}

function endOf(ending: "done" | "cancelled", state: StudioState): string[] {
  const { done, failed, unchanged } = summarise(state.pictures);
  if (ending === "cancelled")
    return [`Cancelled.${done === 0 ? "" : ` ${countOf(done, "picture")} ready to download.`}`];
  if (unchanged > 0 && done + failed === 0) return []; // each was told with its reason
  const rest = failed === 0 ? "" : ` ${countOf(failed, "picture")} failed.`;
  return [`Finished. ${countOf(done, "picture")} ready to download.${rest}`];
}
