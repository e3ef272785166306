import { Suspense } from "react";
import { lazyPart } from "../../../../lib/load-part.ts";
import { Choice } from "../../../../ui/choice.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { type OptionsProps, type SizeTool, useSetting } from "./use-setting.ts";

const SizeOutlook = lazyPart(async () => ({ default: (await import("./size-outlook.tsx")).SizeOutlook }));

/** Bytes as a person writes them; nothing that was typed is lost. */
const toBytes = (kilobytes: string) => (/^\s*[0-9]+\s*$/.test(kilobytes) ? `${Number(kilobytes)}000` : kilobytes);
const toKilobytes = (bytes: string) => (/^[0-9]+000$/.test(bytes) ? bytes.slice(0, -3) : bytes);

const sizes = ["100", "200", "500"] as const;

/** Whether a quality is wanted, or a size in bytes. */
export function AimChoice({ tool }: { tool: SizeTool }) {
  const [{ aim = "quality" }, change] = useSetting(tool);
  return (
    <Choice
      legend="Aim for"
      columns={2}
      options={[
        { value: "quality", label: "Appearance" },
        { value: "size", label: "File size" },
      ]}
      value={aim}
      onChoose={(chosen) => change({ aim: chosen })}
    />
  );
}

/** The largest size that the result may have, and what may be given up for it. */
export function SizeField({ tool, problemIn }: OptionsProps & { tool: SizeTool }) {
  const [{ max_bytes: bytes = "", allow_resize: mayShrink = "false" }, change] = useSetting(tool);
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
      <Suspense fallback={null}>
        <SizeOutlook tool={tool} />
      </Suspense>
      <Switch
        label="Allow a smaller image size"
        hint="Reduces the image size only if no quality fits."
        isOn={mayShrink === "true"}
        onChange={(isOn) => change({ allow_resize: String(isOn) })}
      />
    </div>
  );
}
