import { type ReactNode, useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";

type Props = { label: string; hint?: ReactNode; isOn: boolean; onChange(isOn: boolean): void };

/** On or off: a checkbox that says it is a switch. */
export function Switch({ label, hint, isOn, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className={joinClasses(
          "relative mt-0.5 h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken transition-colors",
          "before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-all",
          "checked:border-ink checked:bg-ink checked:before:left-4.5 checked:before:bg-page disabled:opacity-60",
        )}
      />
      <div className="text-sm leading-snug">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <div id={`${id}-hint`} className="text-muted">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
}
