import { useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import type { EditSettings, PictureId, Result } from "../../state/picture.ts";
import { useStudio } from "../../work/studio-context.tsx";
import { editCutOut, editOf, whyNoEdit } from "./edit-settings.ts";

/** Where on the page a choice is made and its status shown. */
type Part = "background" | "candidate";

type Choice = {
  part: Part;
  job: NonNullable<Result["job"]>;
  abort: AbortController;
  /** The edit that it replaces. Once another edit is in place, this choice's error is no longer shown. */
  former: Result["edit"];
  /** Set while it is being applied. */
  settings?: EditSettings;
  fault?: string;
};

type ChoiceState = {
  /** The settings being applied; undefined if none are. */
  settings: EditSettings | undefined;
  isApplying: boolean;
  statusOf(part: Part): string;
};

export type Choices = {
  of(id: PictureId, result: Result): ChoiceState;
  /** Changes the result free of charge, debounced by `waitMs`. */
  choose(id: PictureId, choice: { part: Part; change: Partial<EditSettings>; waitMs: number }): void;
};

/**
 * Choices for finished cut-outs, applied as they are made. A new choice for the same picture replaces one that is being
 * applied and includes it. Choices continue while other pictures are shown.
 */
export function useChoices(): Choices {
  const api = useApi();
  const studio = useStudio();
  const [choices, setChoices] = useState<ReadonlyMap<PictureId, Choice>>(new Map());
  const latestOf = (id: PictureId, job: Result["job"]) => {
    const latest = choices.get(id);
    return latest?.job.id === job?.id && latest?.job.index === job?.index ? latest : undefined;
  };
  const resultOf = (id: PictureId) => {
    const outcome = studio.read().pictures.find((picture) => picture.id === id)?.outcome;
    return outcome?.kind === "done" ? outcome.result : undefined;
  };

  async function choose(id: PictureId, { part, change, waitMs }: Parameters<Choices["choose"]>[1]) {
    const result = resultOf(id);
    if (!result?.job) return;
    const { job } = result;
    choices.get(id)?.abort.abort();
    const abort = new AbortController();
    const before = latestOf(id, job)?.settings ?? editOf(result, studio.read().run?.orders.get(id));
    const settings = { ...before, ...change };
    const note = (more: Pick<Choice, "settings" | "fault">) =>
      setChoices((now) => new Map(now).set(id, { part, job, abort, former: result.edit, ...more }));
    note({ settings });
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (abort.signal.aborted) return;
    try {
      const edited = await editCutOut(api, {
        job,
        settings,
        editedMattes: result.edit?.editedMattes,
        signal: abort.signal,
      });
      if (abort.signal.aborted) return;
      // A new run may have replaced the result meanwhile.
      if (resultOf(id)?.job === job) studio.dispatch({ type: "result-edited", id, result: edited });
      note({});
    } catch (problem) {
      if (!abort.signal.aborted) note({ fault: whyNoEdit(problem) });
    }
  }

  return {
    of(id, { job, edit }) {
      const { part: chosenIn, settings, fault = "", former } = latestOf(id, job) ?? {};
      return {
        settings,
        isApplying: settings !== undefined,
        statusOf: (part) => (part !== chosenIn ? "" : settings ? "Applying" : former === edit ? fault : ""),
      };
    },
    choose: (...asked) => void choose(...asked),
  };
}
