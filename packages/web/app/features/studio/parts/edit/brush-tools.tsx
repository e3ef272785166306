import { Switch } from "../../../../ui/switch.tsx";
import { Toggle } from "../compare/zoom-choice.tsx";
import { SliderField } from "./slider-field.tsx";
import type { Strokes } from "./use-strokes.ts";

export type PaintTool = "move" | "restore" | "erase";
type BrushSize = { size: number; hardness: number };

const tools: ReadonlyArray<{ value: PaintTool; label: string }> = [
  { value: "move", label: "Move" },
  { value: "restore", label: "Restore" },
  { value: "erase", label: "Erase" },
];
const zooms = [1, 2, 4, 8] as const;
/** The closest that wheel and fingers come too. */
export const mostZoom = 8;

type Props = {
  tool: PaintTool;
  onTool(tool: PaintTool): void;
  brush: BrushSize;
  onBrush(brush: BrushSize): void;
  zoom: number;
  onZoom(zoom: number): void;
  /** Undefined: there is no photo to take edges from. */
  isSmart: boolean | undefined;
  onSmart(isSmart: boolean): void;
  strokes: Pick<Strokes, "isFindingEdges" | "hasFailed">;
};

/** The pointer's task, how large and how hard the brush is, whether it follows edges, and how close the picture is. */
export function BrushTools({ tool, onTool, brush, onBrush, zoom, onZoom, isSmart, onSmart, strokes }: Props) {
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
          {isSmart !== undefined && (
            <div className="w-full sm:w-auto">
              <Switch
                label="Smart edges"
                hint="Paint roughly: the stroke follows the edges of the photo."
                isOn={isSmart}
                onChange={onSmart}
              />
            </div>
          )}
          <p role="status" className="text-sm text-muted empty:hidden">
            {statusOf(strokes)}
          </p>
        </>
      )}
    </div>
  );
}

function statusOf({ isFindingEdges, hasFailed }: Props["strokes"]): string | undefined {
  if (isFindingEdges) return "Finding edges";
  return hasFailed ? "The edges could not be found. The stroke stays as painted." : undefined;
}
