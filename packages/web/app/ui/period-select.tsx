import { SelectField } from "./field.tsx";

type Period = { value: string; label: string };

/** Selects the period that a page of figures covers. */
export function PeriodSelect<Choice extends Period>({
  periods,
  chosen,
  onChoose,
}: {
  periods: readonly Choice[];
  chosen: NoInfer<Choice>;
  onChoose(period: NoInfer<Choice>): void;
}) {
  return (
    <SelectField
      label="Period"
      className="w-40"
      options={periods}
      value={chosen.value}
      onChoose={(wanted) => onChoose(periods.find(({ value }) => value === wanted) ?? chosen)}
    />
  );
}
