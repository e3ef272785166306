import { type ComponentType, type KeyboardEvent, useRef } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import type { IconProps } from "./icons.tsx";

type Tab<Value extends string> = {
  value: Value;
  label: string;
  icon?: ComponentType<IconProps> | undefined;
};

type Props<Value extends string> = {
  label: string;
  tabs: ReadonlyArray<Tab<Value>>;
  value: Value;
  onChoose(value: Value): void;
  /** Id of the one panel that all tabs control; its `aria-labelledby` is `tabId(panelId, value)`. */
  panelId: string;
};

export const tabId = (panelId: string, value: string): string => `${panelId}-tab-${value}`;

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * A tab list by the ARIA pattern with automatic activation: arrow keys move and select. Radix' version is 9 KB of
 * script, and tabs are in the first view of the home page.
 */
export function Tabs<Value extends string>({ label, tabs, value, onChoose, panelId }: Props<Value>) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[steps[event.key]?.(at, tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    onChoose(next.value);
    list.current?.querySelector<HTMLElement>(`#${CSS.escape(tabId(panelId, next.value))}`)?.focus();
  }

  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className="grid auto-cols-[minmax(max-content,1fr)] grid-flow-col max-[19.75rem]:flex max-[19.75rem]:flex-wrap max-[19.75rem]:gap-x-3"
    >
      {tabs.map(({ value: tabValue, label: name, icon: Icon }) => (
        <button
          key={tabValue}
          type="button"
          role="tab"
          id={tabId(panelId, tabValue)}
          aria-selected={tabValue === value}
          aria-controls={panelId}
          tabIndex={tabValue === value ? 0 : -1}
          onClick={() => onChoose(tabValue)}
          className={joinClasses(
            "relative flex min-h-14 flex-col items-center justify-center gap-1 font-medium whitespace-nowrap transition-colors",
            "text-sm sm:flex-row sm:gap-2 sm:px-1",
            Icon && "max-sm:text-[0.6875rem]",
            "after:absolute after:inset-x-3 after:bottom-0 after:h-0.5 after:rounded-full after:transition-colors",
            tabValue === value ? "text-ink after:bg-ink" : "text-muted hover:text-ink",
          )}
        >
          {Icon && <Icon className="size-5" />}
          {name}
        </button>
      ))}
    </div>
  );
}
