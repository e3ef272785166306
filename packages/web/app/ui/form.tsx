import { text } from "@tintype/contract";
import { type ComponentProps, type ReactNode, useId } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { useAction } from "../lib/use-action.ts";
import { Button } from "./button.tsx";

type SubmitProps = Omit<ComponentProps<"form">, "onSubmit"> & {
  /** The label of the button that submits. */
  button: string;
  isBusy: boolean;
  isDisabled?: boolean | undefined;
  size?: "sm" | "lg" | undefined;
  onSubmit(form: FormData): void;
  /** Below the button. */
  after?: ReactNode;
};

/** A form with one button, which says while it is busy that the request is being processed. */
export function SubmitForm({ button, isBusy, isDisabled, size = "lg", onSubmit, after, ...form }: SubmitProps) {
  const { className = "gap-4", children, ...rest } = form;
  return (
    <form
      {...rest}
      className={joinClasses("flex flex-col", className)}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {children}
      {/* Not `disabled` while busy: a disabled button loses the focus. */}
      <Button type="submit" kind="primary" size={size} aria-disabled={isBusy} disabled={isDisabled}>
        {isBusy ? text.processing : button}
      </Button>
      {after}
    </form>
  );
}

type ActionFormProps = Omit<ComponentProps<typeof SubmitForm>, "isBusy" | "onSubmit" | "action"> & {
  /** Performs the submit. The form shows its error. */
  action(form: FormData): Promise<unknown>;
  /** Shown above the error. */
  header?: ReactNode;
};

/** A form whose submit is one API call. It cannot be submitted twice at once, and shows what went wrong. */
export function ActionForm({ action, header, children, ...rest }: ActionFormProps) {
  const { problem, isBusy, run } = useAction();
  return (
    <SubmitForm {...rest} isBusy={isBusy} onSubmit={(form) => void run(() => action(form))}>
      {header}
      <div role="alert" className="empty:absolute">
        {problem && <p className="text-sm text-accent-ink">{problem}</p>}
      </div>
      {children}
    </SubmitForm>
  );
}

type NewProps = Pick<ActionFormProps, "button" | "action" | "isDisabled" | "children"> & { title: string };

/** A card beside a list, with the form that adds an item. */
export function NewForm({ title, ...rest }: NewProps) {
  const headingId = useId();
  return (
    <ActionForm
      {...rest}
      aria-labelledby={headingId}
      className="gap-5 rounded-lg border border-line bg-surface p-6"
      header={
        <h2 id={headingId} className="text-2xl">
          {title}
        </h2>
      }
    />
  );
}
