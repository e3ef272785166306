import { type ReactNode, useId } from "react";

type Props = { label: string; hint?: ReactNode; isOn: boolean; onChange(isOn: boolean): void };

/** On or off: a checkbox with the role of a switch. */
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
