import { formatNamed, formats, inputFormats, type OutputFormat, outputFormats } from "@tintype/contract";
import { Choice } from "../../../ui/choice.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { useStudioState } from "../studio-context.tsx";
import { type OptionsProps, useSetting } from "./use-setting.ts";

export function ConvertOptions({ problemIn }: OptionsProps) {
  const [{ sourceFormat, targetFormat }, change] = useSetting("convert");
  const detection = useStudioState((state) => state.detection);
  return (
    <>
      <SelectField
        label="Source format"
        value={sourceFormat}
        onChange={({ target }) => change({ sourceFormat: formatNamed(target.value) ?? "" })}
        hint={<span role="status">{detection ?? "Filled in from the first picture."}</span>}
      >
        <option value="">Detect from the picture</option>
        {inputFormats.map((format) => (
          <option key={format} value={format}>
            {formats[format].label}
          </option>
        ))}
      </SelectField>
      <Choice<OutputFormat>
        legend="Target format"
        columns={4}
        options={outputFormats.map((format) => ({ value: format, label: formats[format].label }))}
        value={targetFormat}
        onChoose={(chosen) => change({ targetFormat: chosen })}
        problemId={problemIn("target")}
      />
    </>
  );
}
