import { useRef, useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { joinClasses } from "../../../../lib/join-classes.ts";
import type { Order } from "../../state/order.ts";
import type { EditSettings, Picture, Result } from "../../state/picture.ts";
import { useStudio } from "../../work/studio-context.tsx";
import { editCutOut, editOf, whyNoEdit } from "./edit-settings.ts";

type Props = { picture: Picture; result: Result; job: NonNullable<Result["job"]>; order: Order | undefined };
type Ground = Pick<EditSettings, "ground" | "colour">;

/** A colour that is still changed is taken when it rests so long. */
const restMs = 300;
const firstColour = "#3f6f8f";
const grounds = [
  { label: "Transparent", ground: "transparent", colour: "#ffffff" },
  { label: "White", ground: "colour", colour: "#ffffff" },
  { label: "Black", ground: "colour", colour: "#000000" },
] as const;

/** The background of a finished cut-out, one press away: the result itself changes, at no cost. */
export function BackgroundChoice({ picture, result, job, order }: Props) {
  const api = useApi();
  const studio = useStudio();
  const [wanted, setWanted] = useState<Ground>();
  const [fault, setFault] = useState<string>();
  const latest = useRef<AbortController>(undefined);
  const edit = editOf(result, order);
  const { ground, colour } = wanted ?? edit;
  const isOn = (one: Ground) => one.ground === ground && (ground === "transparent" || one.colour === colour);
  const isOwn = ground === "colour" && !grounds.some(isOn);

  // A choice outlives this part, for the picture may be left meanwhile; a newer one replaces it.
  async function choose(chosen: Ground, waitMs = 0) {
    latest.current?.abort();
    const abort = new AbortController();
    latest.current = abort;
    setWanted(chosen);
    setFault(undefined);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (abort.signal.aborted) return;
    try {
      const settings = { ...edit, ...chosen };
      const edited = await editCutOut(api, { job, settings, mended: result.edit?.mended, signal: abort.signal });
      if (!abort.signal.aborted) studio.dispatch({ type: "result-edited", id: picture.id, result: edited });
    } catch (problem) {
      if (!abort.signal.aborted) setFault(whyNoEdit(problem));
    }
    if (!abort.signal.aborted) setWanted(undefined);
  }

  const look = (isPressed: boolean) =>
    joinClasses(
      "size-7 cursor-pointer rounded-full border border-edge",
      isPressed && "outline-2 outline-offset-2 outline-ink",
    );
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <fieldset className="flex items-center gap-3">
        <legend className="float-left mr-3 text-sm text-muted">Background</legend>
        {grounds.map(({ label, ...one }) => (
          <button
            key={label}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={isOn(one)}
            onClick={() => choose(one)}
            className={joinClasses(look(isOn(one)), one.ground === "transparent" && "checkerboard")}
            style={one.ground === "colour" ? { background: one.colour } : undefined}
          />
        ))}
        <input
          type="color"
          title="Another colour"
          aria-label="Another colour"
          value={isOwn ? colour : firstColour}
          onChange={({ target }) => choose({ ground: "colour", colour: target.value }, restMs)}
          className={joinClasses(look(isOwn), "swatch appearance-none overflow-hidden bg-transparent p-0")}
        />
      </fieldset>
      <p role="status" className="text-sm text-muted empty:hidden">
        {fault ?? (wanted ? "Applying" : "")}
      </p>
    </div>
  );
}
