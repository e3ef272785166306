import { type Field, formats, inputFormats, manifestOf, type OperationName, outputFormats } from "@tintype/contract";
import type { ReactNode } from "react";
import { Choice, Choices } from "../../../../ui/choice.tsx";
import { SelectField, TextField } from "../../../../ui/field.tsx";
import { Switch } from "../../../../ui/switch.tsx";
import { defaultColour, fieldValue } from "../../state/form-fields.ts";
import { type OptionsProps, useSetting } from "./use-setting.ts";

type Props = {
  tool: OperationName;
  /** Name of a field in the tool's manifest. */
  name: string;
  problemIn: OptionsProps["problemIn"];
  placeholder?: string;
  hint?: ReactNode;
  columns?: 2 | 3 | 4;
  /** Shows a choice as a select instead of buttons. */
  isList?: true;
};

/** A field of the tool's form, rendered by its kind. Label, values and limits come from the operation's manifest. */
export function OperationField({ tool, name, problemIn, placeholder, hint, columns, isList }: Props) {
  const field = manifestOf(tool).fields[name];
  const [values, change] = useSetting(tool);
  if (!field?.label) return null;
  const value = fieldValue(tool, values, name);
  const set = (text: string) => change({ [name]: text });
  const label = field.label;
  const problemId = problemIn(name);
  if (field.kind === "flag")
    return <Switch label={label} hint={hint} isOn={value === "true"} onChange={(isOn) => set(String(isOn))} />;
  if (field.kind === "colour") return <ColourField label={label} value={value || defaultColour} onChange={set} />;
  if (field.kind === "text" && field.items)
    return (
      <Choices
        legend={label}
        columns={4}
        options={Object.entries(field.items).map(([one, label]) => ({ value: one, label }))}
        chosen={value.split(",")}
        onChoose={(chosen) => set(chosen.join(","))}
      />
    );
  if (field.kind === "integer" || field.kind === "decimal" || field.kind === "text")
    return (
      <TextField
        label={label}
        inputMode={inputModes[field.kind]}
        autoComplete="off"
        placeholder={placeholder ?? (field.kind === "text" ? "" : `${field.min} to ${field.max}`)}
        value={value}
        onChange={({ target }) => set(target.value)}
        hint={hint ?? (field.kind === "text" ? field.hint : undefined)}
        problemId={problemId}
      />
    );
  const options = optionsOf(field);
  if (isList || isHint(field)) {
    const listed = isHint(field) ? [{ value: "", label: "Detect automatically" }, ...options] : options;
    return <SelectField label={label} options={listed} value={value} onChoose={set} hint={hint} />;
  }
  const explanation = "explanations" in field ? field.explanations?.[value] : undefined;
  return (
    <div>
      <Choice
        legend={label}
        columns={columns ?? (options.length > 3 ? 4 : 3)}
        options={options}
        value={value}
        onChoose={set}
        problemId={problemId}
      />
      {explanation && <p className="mt-2 text-sm text-muted">{explanation}</p>}
    </div>
  );
}

// Decimal fields use the text keyboard: decimal keyboards of phones have no minus sign.
const inputModes = { integer: "numeric", decimal: "text", text: "text" } as const;

/** Whether the field is a source format. It is optional, because the file's content decides. */
const isHint = (field: Field) => field.kind === "format" && !field.writable;

function optionsOf(field: Extract<Field, { kind: "choice" | "factor" | "format" }>) {
  if (field.kind === "format")
    return (field.writable ? outputFormats : inputFormats).map((value) => ({ value, label: formats[value].label }));
  const { labels = {}, hints = {}, comingSoon = [] } = field;
  return field.values.map(String).map((value) => {
    const hint = hints[value];
    return {
      value,
      label: labels[value] ?? value,
      ...(hint === undefined ? {} : { hint }),
      isDisabled: comingSoon.includes(value),
    };
  });
}

export function ColourField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange(colour: string): void;
}) {
  return (
    <label className="flex items-center gap-3 text-sm">
      <span className="sr-only">{label}</span>
      <input
        type="color"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="size-10 cursor-pointer rounded-md border border-edge bg-surface p-1"
      />
      {value}
    </label>
  );
}
