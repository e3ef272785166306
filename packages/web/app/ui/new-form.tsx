import { type ReactNode, useId } from "react";
import { ActForm } from "./act-form.tsx";

type Props = {
  title: string;
  button: string;
  act(form: FormData): Promise<unknown>;
  isDisabled?: boolean;
  children: ReactNode;
};

/** A card beside a list, with the form that adds an item. */
export function NewForm({ title, ...rest }: Props) {
  const headingId = useId();
  return (
    <ActForm
      {...rest}
      aria-labelledby={headingId}
      className="gap-5 rounded-lg border border-line bg-surface p-6"
      opening={
        <h2 id={headingId} className="text-2xl">
          {title}
        </h2>
      }
    />
  );
}
