import { useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";

export type Option<Value extends string> = { value: Value; label: string; hint?: string; isDisabled?: boolean };

type Props<Value extends string> = {
  legend: string;
  options: ReadonlyArray<Option<Value>>;
  value: Value | "";
  onChoose(value: Value): void;
  /** How many stand side by side. */
  columns: 1 | 2 | 3 | 4;
  /** Id of the sentence that says what is wrong. */
  problemId?: string | undefined;
};

const columnClasses = { 1: "grid-cols-1", 2: "grid-cols-2", 3: "grid-cols-3", 4: "grid-cols-4" };

/** One of a few, all in view: radio buttons of the browser in a dress of ours, with its keys and its groups. */
export function Choice<Value extends string>({ legend, options, value, onChoose, columns, problemId }: Props<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${name}-legend`}
      aria-describedby={problemId}
      aria-invalid={problemId ? true : undefined}
      className="min-w-0"
    >
      <p id={`${name}-legend`} className="mb-1.5 text-sm font-medium">
        {legend}
      </p>
      <div className={joinClasses("grid gap-1.5", columnClasses[columns])}>
        {options.map((option) => (
          <label
            key={option.value}
            className={joinClasses(
              "relative flex min-h-10 flex-col items-center justify-center rounded-md border px-2 py-1.5 text-center text-sm leading-tight transition-colors",
              "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
              option.value === value
                ? "border-ink bg-sunken font-medium text-ink"
                : "border-line text-muted hover:border-edge hover:text-ink",
              option.isDisabled && "pointer-events-none border-dashed opacity-70",
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChoose(option.value)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-md outline-none"
            />
            {option.label}
            {option.hint && <span className="text-xs font-normal text-muted">{option.hint}</span>}
          </label>
        ))}
      </div>
    </div>
  );
}
