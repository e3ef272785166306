import { countOf, formatKilobytes, formatSides } from "../../../../lib/size.ts";
import { Button } from "../../../../ui/button.tsx";
import { Choice } from "../../../../ui/choice.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { framedSides, type Sides } from "../../state/frame.ts";
import { hasCustomOptions } from "../../state/order.ts";
import type { Picture } from "../../state/picture.ts";
import { isRecipe } from "../../state/steps.ts";
import { isRunning } from "../../state/studio-state.ts";
import { overTargetSize } from "../../state/to-send.ts";
import { useStudioState } from "../../work/studio-context.tsx";
import { hasParts, previewRequest } from "../live/preview-request.ts";
import { useLivePreview } from "../live/use-live-preview.ts";
import { type OptionsProps, type SizeTool, useIsForOnePicture, useSetting, useSinglePicture } from "./use-setting.ts";

/** Convert between typed kilobytes and bytes. Invalid input is kept as typed. */
const toBytes = (kilobytes: string) => (/^\s*[0-9]+\s*$/.test(kilobytes) ? `${Number(kilobytes)}000` : kilobytes);
const toKilobytes = (bytes: string) => (/^[0-9]+000$/.test(bytes) ? bytes.slice(0, -3) : bytes);

const sizes = ["100", "200", "500"] as const;

/** Chooses between a target quality and a target size in bytes. */
export function AimChoice({ tool }: { tool: SizeTool }) {
  const [{ aim = "quality" }, change] = useSetting(tool);
  return (
    <Choice
      legend="Optimise for"
      columns={2}
      options={[
        { value: "quality", label: "Quality" },
        { value: "size", label: "File size" },
      ]}
      value={aim}
      onChoose={(chosen) => change({ aim: chosen })}
    />
  );
}

/** The result's maximum size in bytes, and whether its pixel size may shrink for it. */
export function SizeField({ tool, problemIn }: OptionsProps & { tool: SizeTool }) {
  const [{ max_bytes: bytes = "", allow_resize: mayShrink = "false", ceiling }, change] = useSetting(tool);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <TextField
          label="Maximum size in KB"
          inputMode="numeric"
          autoComplete="off"
          placeholder="200"
          value={toKilobytes(bytes)}
          onChange={({ target }) => change({ max_bytes: toBytes(target.value) })}
          problemId={problemIn("max_bytes")}
        />
        <div className="mt-2 grid grid-cols-3 gap-1.5">
          {sizes.map((kilobytes) => (
            <button
              key={kilobytes}
              type="button"
              aria-pressed={bytes === `${kilobytes}000`}
              onClick={() => change({ max_bytes: `${kilobytes}000` })}
              className="min-h-10 rounded-md border border-line text-sm text-muted transition-colors hover:border-edge hover:text-ink aria-pressed:border-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
            >
              {kilobytes} KB
            </button>
          ))}
        </div>
      </div>
      {ceiling === undefined ? null : <p className="text-sm text-muted">Quality {ceiling} at most, from the recipe.</p>}
      <SizeWarning tool={tool} />
      <Switch
        label="Allow fewer pixels"
        hint="Only if no quality fits."
        isOn={mayShrink === "true"}
        onChange={(isOn) => change({ allow_resize: String(isOn) })}
      />
    </div>
  );
}

/** The smallest preview that the server makes, px. */
const minSidePx = 16;
/** Debounce of a typed number. */
const debounceMs = 600;
/** Margin on the offered size, since the estimate for a photograph is off by a few percent. */
const estimateMargin = 1.1;

/** A target size that cannot be met: what does not fit, and the bytes it needs. */
type UnreachableSize = { subject: string; neededBytes: number };

/** Warns that the chosen target size cannot be met, and offers two remedies. Uses a preview before a run, and the result after it. */
function SizeWarning({ tool }: { tool: SizeTool }) {
  const [{ max_bytes: maxBytes = "", allow_resize: mayShrink }, change] = useSetting(tool);
  const predicted = usePredictedSize(tool, Number(maxBytes));
  const unreachable = useFailedSize() ?? predicted;
  if (!unreachable) return null;
  const { subject, neededBytes } = unreachable;
  const limit = formatKilobytes(Number(maxBytes));
  if (mayShrink === "true")
    return (
      <p role="status" className="text-sm text-muted">
        {limit} is too small for {subject}: the result will have fewer pixels.
      </p>
    );
  return (
    <div role="status" className="rounded-md bg-sunken px-4 py-3 text-sm">
      <p>
        {limit} is too small for {subject}.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => change({ allow_resize: "true" })}>
          Make it smaller in pixels
        </Button>
        <Button size="sm" onClick={() => change({ max_bytes: String(Math.ceil(neededBytes / 1000) * 1000) })}>
          Allow {formatKilobytes(neededBytes)}
        </Button>
      </div>
    </div>
  );
}

/** The misfit by which the last run failed. */
function useFailedSize(): UnreachableSize | undefined {
  const isForOnePicture = useIsForOnePicture();
  const state = useStudioState((all) => all);
  const failed = isForOnePicture ? [] : overTargetSize(state);
  const [first] = failed;
  if (!first) return undefined;
  const needed = failed.map(({ outcome }) => (outcome.kind === "failed" ? (outcome.smallestBytes ?? 0) : 0));
  return {
    subject: failed.length > 1 ? countOf(failed.length, "image") : nameOf(first, state.pictures.length > 1),
    neededBytes: Math.max(...needed),
  };
}

/** Predicts a misfit from a preview of the largest picture after its crop. Not within a recipe, whose earlier steps change the picture. */
function usePredictedSize(tool: SizeTool, maxBytes: number): UnreachableSize | undefined {
  const [values] = useSetting(tool);
  const single = useSinglePicture();
  const isPredictable = useStudioState((state) => !isRecipe(state) && !isRunning(state));
  const pictures = useStudioState((state) => state.pictures);
  const candidates = single ? [single] : pictures.filter((picture) => !hasCustomOptions(picture, tool));
  const [picture] = (isPredictable ? candidates : [])
    .filter(hasParts)
    .toSorted((one, other) => pixelsOf(other) - pixelsOf(one));
  const request = previewRequest(tool, values, picture?.frame);
  // Only the estimate is used. It is the same whatever is shown, and the whole is not counted as a part.
  const shown = { isWhole: true, sidePx: minSidePx };
  const seen = useLivePreview(picture, !picture || "missing" in request ? undefined : { ...request, ...shown }, {
    debounceMs,
  });
  if (!picture || "missing" in request || seen.kind !== "seen" || seen.isOld) return undefined;
  const { sizeBytes, width, height } = seen.result;
  if (sizeBytes <= maxBytes) return undefined;
  const sides = { widthPx: width, heightPx: height };
  return { subject: nameOf({ ...picture, sides }, pictures.length > 1), neededBytes: sizeBytes * estimateMargin };
}

const nameOf = ({ name, sides }: { name: string; sides: Sides | undefined }, isMany: boolean): string => {
  const size = sides && formatSides(sides.widthPx, sides.heightPx);
  return isMany ? [name, size].filter(Boolean).join(", ") : (size ?? name);
};

function pixelsOf({ sides, frame }: Picture): number {
  const { widthPx, heightPx } = sides ? framedSides(sides, frame) : { widthPx: 0, heightPx: 0 };
  return widthPx * heightPx;
}
