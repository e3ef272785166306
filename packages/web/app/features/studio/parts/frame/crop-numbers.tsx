import { useId } from "react";
import type { CropBox, Sides } from "../../state/frame.ts";

type Props = { box: CropBox; within: Sides; onBox(box: CropBox): void };

/** The crop box as number fields, for exact values and keyboard use. */
export function CropNumbers({ box, within: { widthPx, heightPx }, onBox }: Props) {
  const set = (name: keyof CropBox, value: number) => {
    const next = { ...box, [name]: value };
    const left = Math.min(Math.max(0, next.left), widthPx - 1);
    const top = Math.min(Math.max(0, next.top), heightPx - 1);
    onBox({
      left,
      top,
      width: Math.min(Math.max(1, next.width), widthPx - left),
      height: Math.min(Math.max(1, next.height), heightPx - top),
    });
  };
  return (
    <div className="grid grid-cols-4 gap-2">
      {(["left", "top", "width", "height"] as const).map((name) => (
        <NumberField key={name} label={labels[name]} value={box[name]} onChange={(value) => set(name, value)} />
      ))}
    </div>
  );
}

const labels = { left: "Left", top: "Top", width: "Width", height: "Height" };

function NumberField({ label, value, onChange }: { label: string; value: number; onChange(value: number): void }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block text-xs text-muted">
        {label}
      </label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={0}
        value={value}
        onChange={({ target }) => target.value !== "" && onChange(Math.round(target.valueAsNumber))}
        className="min-h-9 w-full rounded-sm border border-edge bg-surface px-2 text-sm tabular-nums"
      />
    </div>
  );
}
