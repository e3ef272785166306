/** Props that the dialog's forms share: an email typed into one appears in the others. */
export type FormProps = {
  email: string;
  setEmail(email: string): void;
  isBusy: boolean;
};

/** A form's field as it was filled in. */
export const fieldOf = (form: FormData, name: string): string => String(form.get(name) ?? "");
