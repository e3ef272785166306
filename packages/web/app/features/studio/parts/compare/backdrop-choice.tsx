import type { CSSProperties } from "react";
import { joinClasses } from "../../../../lib/join-classes.ts";

/** The ground behind the transparent parts of a result. */
export type Backdrop = { kind: "checkerboard" } | { kind: "colour"; colour: string };

/** For an element that lies under a result. */
export const backdropProps = (backdrop: Backdrop): { className?: string; style?: CSSProperties } =>
  backdrop.kind === "checkerboard" ? { className: "checkerboard" } : { style: { background: backdrop.colour } };

type Props = { backdrop: Backdrop; onChoose(backdrop: Backdrop): void };

const grounds: ReadonlyArray<{ label: string; backdrop: Backdrop }> = [
  { label: "Checkerboard", backdrop: { kind: "checkerboard" } },
  { label: "White", backdrop: { kind: "colour", colour: "#ffffff" } },
  { label: "Black", backdrop: { kind: "colour", colour: "#000000" } },
];
const firstColour = "#3f6f8f";

/** On which ground a cut-out is judged. Only how it is looked at: the file stays transparent. */
export function BackdropChoice({ backdrop, onChoose }: Props) {
  const isOwn = backdrop.kind === "colour" && !["#ffffff", "#000000"].includes(backdrop.colour);
  const ringOf = (isOn: boolean) =>
    joinClasses(
      "size-7 cursor-pointer rounded-full border border-edge",
      isOn && "outline-2 outline-offset-2 outline-ink",
    );
  return (
    <fieldset className="flex items-center gap-3">
      <legend className="sr-only">Show on</legend>
      {grounds.map(({ label, backdrop: own }) => {
        const isOn = JSON.stringify(own) === JSON.stringify(backdrop);
        return (
          <button
            key={label}
            type="button"
            title={label}
            aria-label={label}
            aria-pressed={isOn}
            onClick={() => onChoose(own)}
            className={joinClasses(ringOf(isOn), own.kind === "checkerboard" && "checkerboard")}
            style={own.kind === "colour" ? { background: own.colour } : undefined}
          />
        );
      })}
      <input
        type="color"
        title="A colour"
        aria-label="A colour"
        value={isOwn ? backdrop.colour : firstColour}
        onClick={() => !isOwn && onChoose({ kind: "colour", colour: firstColour })}
        onChange={(event) => onChoose({ kind: "colour", colour: event.target.value })}
        className={joinClasses(ringOf(isOwn), "swatch appearance-none overflow-hidden bg-transparent p-0")}
      />
    </fieldset>
  );
}
