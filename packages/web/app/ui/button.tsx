import type { ComponentProps } from "react";
import { joinClasses } from "../lib/join-classes.ts";

type Look = {
  /** `primary` is for the next step: one per view. `danger` leads to something that cannot be undone. */
  kind?: "primary" | "secondary" | "quiet" | "danger" | undefined;
  size?: "sm" | "md" | "lg" | undefined;
};

const kinds = {
  primary: "bg-accent-fill text-on-accent hover:bg-accent-fill-hover",
  secondary: "border border-edge text-ink hover:bg-sunken",
  danger: "border border-edge text-accent-ink hover:bg-sunken",
  quiet: "text-muted hover:bg-sunken hover:text-ink",
};
const sizes = {
  sm: "min-h-8 gap-1.5 px-3 text-sm",
  md: "min-h-10 gap-2 px-4 text-sm",
  lg: "min-h-12 gap-2 px-5 text-base",
};

/** A button's classes, for links that look like one. */
export const buttonClasses = ({ kind = "secondary", size = "md" }: Look = {}): string =>
  joinClasses(
    "inline-flex items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors select-none max-[19.75rem]:whitespace-normal",
    "disabled:opacity-55 aria-disabled:opacity-55",
    kinds[kind],
    sizes[size],
  );

export function Button({ kind, size, className, type = "button", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={joinClasses(buttonClasses({ kind, size }), className)} {...rest} />;
}
