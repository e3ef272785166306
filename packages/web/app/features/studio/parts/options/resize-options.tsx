import { maxSidePx, presets } from "@tintype/contract";
import { Link2, Unlink2 } from "lucide-react";
import { formatNumber, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { Choice } from "../../../../ui/choice.tsx";
import { SelectField, TextField } from "../../../../ui/field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { tabId } from "../../../../ui/tabs.tsx";
import { fieldValue, hasCanvas } from "../../state/form-fields.ts";
import { framedSides, type Sides } from "../../state/frame.ts";
import { fillRatio, mayEnlarge, resizedSides } from "../../state/resized-sides.ts";
import { useStudio } from "../../work/studio-context.tsx";
import { panelId } from "../../work/tools.ts";
import { chooseTool } from "../use-tool-in-address.ts";
import { CanvasOptions } from "./canvas-options.tsx";
import { OperationField } from "./operation-field.tsx";
import { type OptionsProps, useIsForOnePicture, useSetting, useSinglePicture } from "./use-setting.ts";

type Size = { name: string; about: string; width: number; height: number; method: string; canvas?: string };

/** The sizes of the built-in recipes. */
const sizes: readonly Size[] = presets.flatMap(({ name, about, steps }) =>
  steps.flatMap(({ resize }) => (resize ? [{ name, about, ...(resize as Omit<Size, "name" | "about">) }] : [])),
);

export function ResizeOptions({ problemIn }: OptionsProps) {
  const [values, change] = useSetting("resize");
  const { unit = "px", isRatioLocked = false, width = "", height = "" } = values;
  const single = useSinglePicture();
  const sides = single?.sides && framedSides(single.sides, single.frame);
  const side = (name: "width" | "height", text: string) => {
    if (!isRatioLocked) return change({ [name]: text });
    const other = name === "width" ? "height" : "width";
    const ratio = sides && (name === "width" ? sides.heightPx / sides.widthPx : sides.widthPx / sides.heightPx);
    const follows = ratio && /^[0-9]{1,5}$/.test(text) ? String(Math.max(1, Math.round(Number(text) * ratio))) : "";
    change({ [name]: text, [other]: follows });
  };
  const method = fieldValue("resize", values, "method");
  const hasBox = unit === "px" && !isRatioLocked && width !== "" && height !== "";
  // A vector drawing has no pixel size that would limit the result.
  const isDrawn = single?.format === "svg";
  const asDone = isDrawn ? { ...values, enlarge: "true" } : values;
  const chosen = sizes.find((size) => String(size.width) === width && String(size.height) === height)?.name ?? "";
  return (
    <>
      <Choice
        legend="Units"
        columns={2}
        options={[
          { value: "px", label: "Pixels" },
          { value: "percent", label: "Percent" },
        ]}
        value={unit}
        onChoose={(chosenUnit) => change({ unit: chosenUnit })}
      />
      {unit === "percent" ? (
        <OperationField tool="resize" name="percent" placeholder="50" problemIn={problemIn} />
      ) : (
        <div>
          <div className="grid grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] items-end gap-2">
            <SideField
              label="Width"
              value={width}
              onChange={(text) => side("width", text)}
              problemId={problemIn("width")}
            />
            <button
              type="button"
              aria-pressed={isRatioLocked}
              aria-label="Lock aspect ratio"
              title="Lock aspect ratio"
              onClick={() => change({ isRatioLocked: !isRatioLocked })}
              className="inline-flex size-11 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink"
            >
              {isRatioLocked ? <Link2 aria-hidden className="size-4" /> : <Unlink2 aria-hidden className="size-4" />}
            </button>
            <SideField
              label="Height"
              value={height}
              onChange={(text) => side("height", text)}
              problemId={problemIn("height")}
            />
          </div>
          <p className="mt-2 text-sm text-muted">
            Pixels, 1 to {formatNumber(maxSidePx)}. Leave one blank to keep the proportions.
          </p>
        </div>
      )}
      {unit === "px" && (
        <SelectField
          label="Common sizes"
          options={[{ value: "", label: "Custom size" }, ...sizes.map(optionOf)]}
          value={chosen}
          onChoose={(wanted) => {
            const size = sizes.find(({ name }) => name === wanted);
            if (!size) return;
            const { method, canvas = "" } = size;
            change({ width: String(size.width), height: String(size.height), method, canvas, isRatioLocked: false });
          }}
        />
      )}
      {unit === "px" && !isRatioLocked && <OperationField tool="resize" name="method" problemIn={problemIn} />}
      {hasBox && method === "fit" && <CanvasOptions problemIn={problemIn} />}
      {unit === "px" && (
        <Switch
          label="Allow enlarging"
          hint="Otherwise smaller images keep their size."
          isOn={mayEnlarge(values)}
          onChange={(isOn) => change({ enlarge: String(isOn) })}
        />
      )}
      <details className="group text-sm">
        <summary className="rounded-sm font-medium text-muted hover:text-ink">For print</summary>
        <div className="mt-3">
          <OperationField
            tool="resize"
            name="dpi"
            placeholder="As in the file"
            hint="Dots per inch that the file states. The pixels stay the same."
            problemIn={problemIn}
          />
        </div>
      </details>
      {sides && (
        <ResultSides
          from={sides}
          to={resizedSides(sides, asDone)}
          isDrawn={isDrawn}
          isOnCanvas={hasCanvas(values)}
          ratio={fillRatio(values)}
        />
      )}
    </>
  );
}

const optionOf = ({ name, about, width, height }: Size) => ({ value: name, label: `${about}: ${width} × ${height}` });

type SideProps = { label: string; value: string; onChange(text: string): void; problemId: string | undefined };

function SideField({ label, value, onChange, problemId }: SideProps) {
  return (
    <TextField
      label={label}
      inputMode="numeric"
      autoComplete="off"
      placeholder="auto"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      problemId={problemId}
    />
  );
}

type ResultSidesProps = {
  from: Sides;
  to: Sides | undefined;
  isDrawn: boolean;
  isOnCanvas: boolean;
  /** Width divided by height of a `fill` target. */
  ratio: number | undefined;
};

/** The result's size, with a note if it is enlarged. An SVG is rendered at any size. */
function ResultSides({ from, to, isDrawn, isOnCanvas, ratio }: ResultSidesProps) {
  const studio = useStudio();
  const isForOnePicture = useIsForOnePicture();
  if (!to) return null;
  const goToUpscale = () => {
    chooseTool(studio, "upscale");
    // This button disappears with the form, so move the focus.
    document.getElementById(tabId(panelId, "upscale"))?.focus();
  };
  const times = isOnCanvas ? 1 : Math.max(to.widthPx / from.widthPx, to.heightPx / from.heightPx);
  return (
    <div role="status" className="text-sm">
      <p className="text-muted">
        {formatSides(from.widthPx, from.heightPx)} becomes {formatSides(to.widthPx, to.heightPx)} pixels.
        {ratio !== undefined && croppedSentence(from, ratio)}
      </p>
      {times > 1.01 && !isDrawn && (
        <div className="mt-2 rounded-md bg-sunken px-4 py-3">
          <p>This enlarges the image {times.toFixed(1)} times, so it will look softer. Upscale adds detail.</p>
          {!isForOnePicture && (
            <Button size="sm" className="mt-2" onClick={goToUpscale}>
              Go to Upscale
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function croppedSentence({ widthPx, heightPx }: Sides, ratio: number): string {
  const [ofWidth, ofHeight] = [1 - (heightPx * ratio) / widthPx, 1 - widthPx / ratio / heightPx];
  const percent = Math.round(100 * Math.max(ofWidth, ofHeight));
  return percent < 1 ? "" : ` ${percent} % of the ${ofWidth > 0 ? "width" : "height"} is cropped.`;
}
