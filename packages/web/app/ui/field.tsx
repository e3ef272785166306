import { type ComponentProps, type ReactNode, useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { ChevronIcon } from "./icons.tsx";

const controlClasses = joinClasses(
  "min-h-11 w-full rounded-md border border-edge bg-surface px-3 text-base text-ink transition-colors placeholder:text-muted",
  "aria-invalid:border-accent disabled:opacity-60",
);

type Common = {
  label: string;
  hint?: ReactNode;
  /** Id of the error message; its presence marks the field as invalid. */
  problemId?: string | undefined;
};

/** A labelled single-line input. */
export function TextField({ label, hint, problemId, className, ...rest }: ComponentProps<"input"> & Common) {
  return (
    <Labelled {...{ label, hint, problemId, className }}>
      {(controlProps) => <input className={controlClasses} {...controlProps} {...rest} />}
    </Labelled>
  );
}

/** A labelled multi-line input. */
export function TextArea({ label, hint, problemId, className, ...rest }: ComponentProps<"textarea"> & Common) {
  return (
    <Labelled {...{ label, hint, problemId, className }}>
      {(controlProps) => (
        <textarea className={joinClasses(controlClasses, "block py-2.5 leading-normal")} {...controlProps} {...rest} />
      )}
    </Labelled>
  );
}

type SelectProps<Value extends string> = Omit<ComponentProps<"select">, "value" | "onChange" | "children"> &
  Common & {
    options: ReadonlyArray<{ value: Value; label: string }>;
    value: NoInfer<Value>;
    onChoose(value: NoInfer<Value>): void;
  };

/** A labelled native select, which works on every phone and with every screen reader. */
export function SelectField<Value extends string>({
  label,
  hint,
  problemId,
  className,
  options,
  value: chosen,
  onChoose,
  ...rest
}: SelectProps<Value>) {
  return (
    <Labelled {...{ label, hint, problemId, className }}>
      {(controlProps) => (
        <div className="relative">
          <select
            className={joinClasses(controlClasses, "appearance-none pr-10")}
            value={chosen}
            onChange={({ target }) => onChoose(options.find(({ value }) => value === target.value)?.value ?? chosen)}
            {...controlProps}
            {...rest}
          >
            {options.map(({ value, label: text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
          <ChevronIcon className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted" />
        </div>
      )}
    </Labelled>
  );
}

/** The value of a form's field. */
export const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? "");

type LabelledProps = Common & {
  className?: string | undefined;
  /** Renders the control with the attributes that tie it to its label, hint and error message. */
  children(controlProps: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }): ReactNode;
};

/** A control with its label above and its hint below. */
function Labelled({ label, hint, problemId, className, children }: LabelledProps) {
  const id = useId();
  const ids = [hint ? `${id}-hint` : "", problemId ?? ""].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({ id, ...(ids && { "aria-describedby": ids }), ...(problemId && { "aria-invalid": true }) })}
      {hint && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}
