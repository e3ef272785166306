import { type BillingDetails, countryCodes, gstStates } from "@tintype/contract";
import { sentenceOf } from "@tintype/contract/api";
import { useState } from "react";
import { useApi } from "../../../lib/api/context.tsx";
import { ActForm } from "../../../ui/act-form.tsx";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextArea, TextField } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toast-area.tsx";

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
      <ActForm
        button="Save"
        aria-labelledby="billing-details"
        className="gap-5"
        act={async () => {
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
        <SelectField label="Country" autoComplete="country" required {...field("country")}>
          <option value="">Choose a country</option>
          {countries().map(({ code, label }) => (
            <option key={code} value={code}>
              {label}
            </option>
          ))}
        </SelectField>
        {isIndia && (
          <SelectField label="State" required {...field("region")}>
            <option value="">Choose a state</option>
            {Object.entries(gstStates)
              .toSorted(([, one], [, other]) => one.localeCompare(other))
              .map(([code, label]) => (
                <option key={code} value={code}>
                  {label}
                </option>
              ))}
          </SelectField>
        )}
        <TextField
          label={isIndia ? "GSTIN" : "Tax number"}
          hint={
            isIndia ? "Leave it blank if you are not registered for GST." : "Optional. For example, your VAT number."
          }
          maxLength={20}
          {...field("tax_number")}
        />
      </ActForm>
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

function countries(): { code: string; label: string }[] {
  const names = new Intl.DisplayNames(["en"], { type: "region" });
  return countryCodes
    .map((code) => ({ code, label: names.of(code) ?? code }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}
