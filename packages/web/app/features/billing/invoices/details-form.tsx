import { type BillingDetails, countryCodes, gstStates, locale } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { ActionForm } from "../../../ui/form.tsx";
import { useToasts } from "../../../ui/toasts.tsx";

const empty: BillingDetails = { name: "", address: "", country: "", region: "", tax_number: "" };

type Props = { details: BillingDetails | null; onChanged(): Promise<void> };

/** The recipient of invoices. In India the state is required too, since the tax depends on it. */
export function DetailsForm({ details, onChanged }: Props) {
  const api = useApi();
  const toasts = useToasts();
  const [written, setWritten] = useState(details ?? empty);
  const isIndia = written.country === "IN";
  const set = (change: Partial<BillingDetails>) => setWritten({ ...written, ...change });
  const field = (name: keyof BillingDetails) => ({
    name,
    value: written[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  });
  return (
    <>
      <ActionForm
        button="Save"
        aria-labelledby="billing-details"
        className="gap-5"
        action={async () => {
          await api.call("PUT /billing-details", { json: { ...written, region: isIndia ? written.region : "" } });
          toasts.success("Billing details saved.");
          await onChanged();
        }}
      >
        <TextField label="Name" autoComplete="organization" required maxLength={120} {...field("name")} />
        <TextArea
          label="Address"
          autoComplete="street-address"
          required
          rows={3}
          maxLength={300}
          {...field("address")}
        />
        <SelectField
          label="Country"
          name="country"
          autoComplete="country"
          required
          options={countries()}
          value={written.country}
          onChoose={(country) => set({ country })}
        />
        {isIndia && (
          <SelectField
            label="State"
            name="region"
            required
            options={states}
            value={written.region}
            onChoose={(region) => set({ region })}
          />
        )}
        <TextField
          label={isIndia ? "GSTIN" : "Tax number"}
          hint={
            isIndia ? "Leave it blank if you are not registered for GST." : "Optional. For example, your VAT number."
          }
          maxLength={20}
          {...field("tax_number")}
        />
      </ActionForm>
      {details && (
        <Button
          kind="quiet"
          className="mt-3"
          onClick={() =>
            void api.call("DELETE /billing-details", {}).then(
              async () => {
                setWritten(empty);
                toasts.success("Billing details removed.");
                await onChanged();
              },
              (thrown: unknown) => toasts.error(sentenceOf(thrown)),
            )
          }
        >
          Remove billing details
        </Button>
      )}
    </>
  );
}

type Option = { value: string; label: string };

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label);

const states: readonly Option[] = [
  { value: "", label: "Choose a state" },
  ...Object.entries(gstStates)
    .map(([value, label]) => ({ value, label }))
    .toSorted(byLabel),
];

function countries(): readonly Option[] {
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const named = countryCodes.map((value) => ({ value, label: names.of(value) ?? value }));
  return [{ value: "", label: "Choose a country" }, ...named.toSorted(byLabel)];
}
