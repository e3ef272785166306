import { SliderField } from "../../../../ui/slider-field.tsx";
import { Toggle } from "../compare/zoom-choice.tsx";

export type PaintTool = "move" | "restore" | "erase";
type BrushSize = { size: number; hardness: number };

const tools: ReadonlyArray<{ value: PaintTool; label: string }> = [
  { value: "move", label: "Move" },
  { value: "restore", label: "Restore" },
  { value: "erase", label: "Erase" },
];
const zooms = [1, 2, 4, 8] as const;
/** Largest zoom, also by wheel and pinch. */
export const maxZoom = 8;

type Props = {
  tool: PaintTool;
  onTool(tool: PaintTool): void;
  brush: BrushSize;
  onBrush(brush: BrushSize): void;
  zoom: number;
  onZoom(zoom: number): void;
  /** With smart edges the photo's edges decide the hardness, so its slider is hidden. */
  isSmart: boolean;
};

/** The pointer's tool, the brush's size and hardness, and the zoom. */
export function BrushTools({ tool, onTool, brush, onBrush, zoom, onZoom, isSmart }: Props) {
  const isBrush = tool !== "move";
  return (
    <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
      <fieldset className="flex items-center gap-1">
        <legend className="mb-1 text-xs text-muted">Brush</legend>
        {tools.map(({ value, label }) => (
          <Toggle key={value} isOn={tool === value} onClick={() => onTool(value)}>
            {label}
          </Toggle>
        ))}
      </fieldset>
      <fieldset className="flex items-center gap-1">
        <legend className="mb-1 text-xs text-muted">Zoom</legend>
        {zooms.map((times) => (
          <Toggle key={times} isOn={zoom === times} onClick={() => onZoom(times)}>
            {times === 1 ? "Fit" : `${times}×`}
          </Toggle>
        ))}
      </fieldset>
      {isBrush && (
        <>
          <SliderField
            label="Size"
            min={1}
            max={100}
            value={brush.size}
            onChange={(size) => onBrush({ ...brush, size })}
          />
          {!isSmart && (
            <SliderField
              label="Hardness"
              min={0}
              max={100}
              value={Math.round(brush.hardness * 100)}
              onChange={(hardness) => onBrush({ ...brush, hardness: hardness / 100 })}
            />
          )}
        </>
      )}
    </div>
  );
}
