import { useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";

export type Option<Value extends string> = { value: Value; label: string; hint?: string; isDisabled?: boolean };

type Props<Value extends string> = {
  legend: string;
  options: ReadonlyArray<Option<Value>>;
  value: Value | "";
  onChoose(value: Value): void;
  /** Options per row. */
  columns: keyof typeof columnClasses;
  /** Id of the error message. */
  problemId?: string | undefined;
};

const columnClasses = { 2: "grid-cols-2", 3: "grid-cols-3", 4: "grid-cols-4" };

const optionClasses = (isChosen: boolean, isDisabled = false): string =>
  joinClasses(
    "relative flex min-h-10 flex-col items-center justify-center rounded-md border px-2 py-1.5 text-center text-sm leading-tight transition-colors",
    "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
    isChosen ? "border-ink bg-sunken font-medium text-ink" : "border-line text-muted hover:border-edge hover:text-ink",
    isDisabled && "pointer-events-none border-dashed opacity-70",
  );
const inputClasses = "absolute inset-0 size-full cursor-pointer appearance-none rounded-md outline-none";

/** One of a few options, all visible: styled native radio buttons, so the browser handles keys and grouping. */
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
          <label key={option.value} className={optionClasses(option.value === value, option.isDisabled)}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.isDisabled}
              onChange={() => onChoose(option.value)}
              className={inputClasses}
            />
            {option.label}
            {option.hint && <span className="text-xs font-normal text-muted">{option.hint}</span>}
          </label>
        ))}
      </div>
    </div>
  );
}

type SeveralProps<Value extends string> = Pick<Props<Value>, "legend" | "options" | "columns"> & {
  chosen: readonly string[];
  /** In the order of the options. */
  onChoose(chosen: Value[]): void;
};

/** At least one of a few options: native checkboxes that look like the buttons of a `Choice`. */
export function Choices<Value extends string>({ legend, options, columns, chosen, onChoose }: SeveralProps<Value>) {
  const legendId = useId();
  const isChosen = ({ value }: Option<Value>) => chosen.includes(value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out in a grid
    <div role="group" aria-labelledby={legendId} className="min-w-0">
      <p id={legendId} className="mb-1.5 text-sm font-medium">
        {legend}
      </p>
      <div className={joinClasses("grid gap-1.5", columnClasses[columns])}>
        {options.map((option) => (
          <label key={option.value} className={optionClasses(isChosen(option))}>
            <input
              type="checkbox"
              checked={isChosen(option)}
              // The last one stays checked: otherwise there would be no output.
              onChange={({ target }) => {
                const rest = options.filter((one) => (one === option ? target.checked : isChosen(one)));
                if (rest.length > 0) onChoose(rest.map(({ value }) => value));
              }}
              className={inputClasses}
            />
            {option.label}
            {isChosen(option) && (
              <span aria-hidden="true" className="absolute top-0.5 right-1.5 text-xs">
                ✓
              </span>
            )}
          </label>
        ))}
      </div>
    </div>
  );
}
