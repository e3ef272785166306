import { useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";

type Props = {
  label: string;
  min: number;
  max: number;
  value: number;
  onChange(value: number): void;
  /** Fills the width of its parent. */
  isWide?: true;
};

/** A range input with its value beside the label. */
export function SliderField({ label, min, max, value, onChange, isWide }: Props) {
  const id = useId();
  return (
    <div className={isWide ? "w-full" : "w-36"}>
      <label htmlFor={id} className={joinClasses("flex justify-between", isWide ? "text-sm" : "text-xs text-muted")}>
        {label}
        <span className="tabular-nums">{value}</span>
      </label>
      <input
        id={id}
        type="range"
        {...{ min, max, value }}
        onChange={({ target }) => onChange(Number(target.value))}
        className="block h-6 w-full cursor-pointer accent-ink"
      />
    </div>
  );
}
