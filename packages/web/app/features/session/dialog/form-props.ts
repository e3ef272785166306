/** Props shared by the dialog's forms: an email typed into one appears in the others. */
export type FormProps = {
  email: string;
  setEmail(email: string): void;
  isBusy: boolean;
};
