import { joinClasses } from "../../../lib/join-classes.ts";
import { TextField } from "../../../ui/field.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

const starts = [
  { quality: "50", label: "Small" },
  { quality: "75", label: "Balanced" },
  { quality: "90", label: "Fine" },
] as const;

export function CompressOptions({ problemIn }: OptionsProps) {
  const [{ quality = "" }, change] = useSetting("compress");
  return (
    <div>
      <TextField
        label="Quality"
        inputMode="numeric"
        autoComplete="off"
        placeholder="0-100"
        value={quality}
        onChange={(event) => change({ quality: event.target.value })}
        problemId={problemIn("quality")}
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
      <p className="mt-4 text-sm text-muted">
        100 is lossless where the format can be. The same number looks the same in every format, and a result is never
        larger than its original.
      </p>
    </div>
  );
}
