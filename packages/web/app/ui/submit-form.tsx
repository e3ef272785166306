import { text } from "@tintype/contract";
import type { ComponentProps, ReactNode } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { Button } from "./button.tsx";

type Props = Omit<ComponentProps<"form">, "onSubmit"> & {
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
export function SubmitForm({ button, isBusy, isDisabled, size = "lg", onSubmit, after, ...form }: Props) {
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
