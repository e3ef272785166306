import { maxStraightenDegrees } from "@tintype/contract";
import { useId, useState } from "react";

type Props = { value: number; onChange(degrees: number): void };

const limits = { min: -maxStraightenDegrees, max: maxStraightenDegrees, step: 0.1 };

/** Rounds to tenths of a degree, within the limits. */
const asAngle = (degrees: number): number =>
  Math.round(Math.min(limits.max, Math.max(limits.min, degrees)) * 10) / 10 || 0;

/** The angle as a slider and a number field. In both, arrow keys change it by a tenth of a degree. */
export function StraightenField({ value, onChange }: Props) {
  const id = useId();
  /** Incomplete input, such as "-" or "1.". */
  const [typed, setTyped] = useState<string>();
  return (
    <div className="flex items-end gap-3">
      <label className="min-w-0 flex-1 text-xs text-muted">
        Straighten
        <input
          type="range"
          {...limits}
          value={value}
          aria-valuetext={`${value} degrees`}
          list={id}
          onChange={({ target }) => onChange(asAngle(target.valueAsNumber))}
          className="block h-9 w-full cursor-pointer accent-ink"
        />
        <datalist id={id}>
          <option value="0" />
        </datalist>
      </label>
      <label className="w-20 text-xs text-muted">
        Degrees
        <input
          type="number"
          {...limits}
          value={typed ?? value}
          onChange={({ target }) => {
            setTyped(target.value);
            if (!Number.isNaN(target.valueAsNumber)) onChange(asAngle(target.valueAsNumber));
          }}
          onBlur={() => setTyped(undefined)}
          className="block min-h-9 w-full rounded-sm border border-edge bg-surface px-2 text-sm tabular-nums text-ink"
        />
      </label>
    </div>
  );
}
