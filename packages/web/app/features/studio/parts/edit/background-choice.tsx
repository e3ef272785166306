import { joinClasses } from "../../../../lib/join-classes.ts";
import type { EditSettings } from "../../state/picture.ts";

type Ground = Pick<EditSettings, "ground" | "colour">;
type Props = { edit: Ground; status: string; onChoose(ground: Ground, waitMs: number): void };

/** Debounce of the colour picker. */
const debounceMs = 300;
const firstColour = "#3f6f8f";
const grounds = [
  { label: "Transparent", ground: "transparent", colour: "#ffffff" },
  { label: "White", ground: "colour", colour: "#ffffff" },
  { label: "Black", ground: "colour", colour: "#000000" },
] as const;

/** Changes the background of a finished cut-out with one click. */
export function BackgroundChoice({ edit: { ground, colour }, status, onChoose }: Props) {
  const isOn = (one: Ground) => one.ground === ground && (ground === "transparent" || one.colour === colour);
  const isCustomColour = ground === "colour" && !grounds.some(isOn);

  const optionClasses = (isPressed: boolean) =>
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
            onClick={() => onChoose(one, 0)}
            className={joinClasses(optionClasses(isOn(one)), one.ground === "transparent" && "checkerboard")}
            style={one.ground === "colour" ? { background: one.colour } : undefined}
          />
        ))}
        <input
          type="color"
          title="Another colour"
          aria-label="Another colour"
          value={isCustomColour ? colour : firstColour}
          onChange={({ target }) => onChoose({ ground: "colour", colour: target.value }, debounceMs)}
          className={joinClasses(
            optionClasses(isCustomColour),
            "swatch appearance-none overflow-hidden bg-transparent p-0",
          )}
        />
      </fieldset>
      <p role="status" className="text-sm text-muted empty:hidden">
        {status}
      </p>
    </div>
  );
}
