import { type ReactNode, type ToggleEvent, useId, useRef } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { Button } from "./button.tsx";
import { ChevronIcon } from "./icons.tsx";

type Props = {
  label: ReactNode;
  /** If the label is only an icon. */
  "aria-label"?: string;
  disabled?: boolean;
  className?: string | undefined;
  /** `MenuItem`s. */
  children: ReactNode;
};

/** Between the button and its list, px. */
const gap = 4;

/** A button with further actions. A popover: the browser closes it on Escape and on a click elsewhere, and restores the focus. */
export function Menu({ label, children, className, ...button }: Props) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Below the button, or above it where there is no room. */
  const place = ({ newState }: ToggleEvent) => {
    if (newState !== "open" || !trigger.current || !list.current) return;
    const at = trigger.current.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = list.current;
    const below = at.bottom + gap;
    style.top = `${below + offsetHeight < window.innerHeight ? below : Math.max(gap, at.top - gap - offsetHeight)}px`;
    style.left = `${Math.max(gap, Math.min(at.left, window.innerWidth - offsetWidth - gap))}px`;
  };
  return (
    <>
      <Button
        {...button}
        ref={trigger}
        kind="quiet"
        size="sm"
        popoverTarget={id}
        className={joinClasses("px-2.5", className)}
      >
        {label}
        <ChevronIcon className="size-3.5" />
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: closes after a click on an item */}
      <div
        ref={list}
        id={id}
        popover="auto"
        onToggle={place}
        onClick={() => list.current?.hidePopover?.()}
        className="fixed inset-auto m-0 min-w-48 flex-col rounded-md border border-line bg-surface p-1 text-ink shadow-card open:flex"
      >
        {children}
      </div>
    </>
  );
}

type ItemProps = { icon?: ReactNode; isOn?: boolean; disabled?: boolean; onClick(): void; children: ReactNode };

export function MenuItem({ icon, isOn, children, ...button }: ItemProps) {
  return (
    <button
      type="button"
      {...(isOn !== undefined && { "aria-pressed": isOn })}
      {...button}
      className="flex min-h-10 w-full items-center gap-2.5 rounded-sm px-3 text-left text-sm whitespace-nowrap hover:bg-sunken focus-visible:bg-sunken disabled:opacity-55 aria-pressed:font-medium aria-pressed:after:ml-auto aria-pressed:after:content-['✓']"
    >
      {icon}
      {children}
    </button>
  );
}
