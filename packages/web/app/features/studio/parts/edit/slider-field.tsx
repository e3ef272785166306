import { useId } from "react";

type Props = { label: string; min: number; max: number; value: number; onChange(value: number): void };

/** A range input with its value beside the label. */
export function SliderField({ label, min, max, value, onChange }: Props) {
  const id = useId();
  return (
    <div className="w-36">
      <label htmlFor={id} className="flex justify-between text-xs text-muted">
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
