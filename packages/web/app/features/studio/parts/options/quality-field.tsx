import { defaultQualities } from "@tintype/contract";
import { joinClasses } from "../../../../lib/join-classes.ts";
import { TextField } from "../../../../ui/field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

const starts = [
  { quality: "50", label: "Small" },
  { quality: String(defaultQualities.compress), label: "Balanced" },
  { quality: "90", label: "Fine" },
] as const;

/** The slider's position while no quality is set; `convert` then uses this value. */
const defaultQuality = { compress: defaultQualities.compress, convert: defaultQualities.others } as const;

type Props = OptionsProps & { tool: keyof typeof defaultQuality; placeholder?: string };

/** A quality that looks the same in every format: typed, set with a slider, or chosen from three presets. */
export function QualityField({ tool, problemIn, placeholder = "0-100" }: Props) {
  const [{ quality = "" }, change] = useSetting(tool);
  const isNumber = /^[0-9]{1,3}$/.test(quality);
  return (
    <div>
      <TextField
        label="Quality"
        inputMode="numeric"
        autoComplete="off"
        placeholder={placeholder}
        value={quality}
        onChange={(event) => change({ quality: event.target.value })}
        problemId={problemIn("quality")}
      />
      <input
        type="range"
        min={1}
        max={100}
        value={isNumber ? Math.min(100, Math.max(1, Number(quality))) : defaultQuality[tool]}
        aria-label="Smaller to finer"
        aria-valuetext={isNumber ? undefined : "Not chosen"}
        onChange={({ target }) => change({ quality: target.value })}
        // A click on the thumb without a drag chooses its value, but fires no change event.
        onClick={({ currentTarget }) => change({ quality: currentTarget.value })}
        className={joinClasses("mt-3 block h-6 w-full cursor-pointer accent-ink", !isNumber && "opacity-50")}
      />
      <div className="mt-2 grid grid-cols-3 gap-1.5">
        {starts.map((start) => (
          <button
            key={start.quality}
            type="button"
            aria-pressed={quality === start.quality}
            onClick={() => change({ quality: start.quality })}
            className={joinClasses(
              "min-h-12 rounded-md border text-sm leading-tight transition-colors disabled:opacity-60",
              quality === start.quality
                ? "border-ink bg-sunken font-medium"
                : "border-line text-muted hover:border-edge hover:text-ink",
            )}
          >
            {start.label}
            <span className="block text-xs font-normal text-muted">{start.quality}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
