import { type ReactNode, useEffect, useId, useRef } from "react";
import { isFocusFree } from "../lib/keep-focus.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy-button.tsx";

type Props<Item> = {
  title: string;
  /** Undefined until they are loaded. */
  items: readonly Item[] | undefined;
  problem: string | undefined;
  onRetry(): void;
  /** Shown when the list is empty. */
  none: string;
  row(item: Item): ReactNode;
  /** Above the list, announced by screen readers. */
  notice?: ReactNode;
  /** The form that adds an item; it stands beside the list. */
  form: ReactNode;
  /** Below the list. */
  children?: ReactNode;
};

/** A person's items of one kind, as a list, with the form that adds one. */
export function ItemList<Item>({ title, items, problem, onRetry, none, row, notice, form, children }: Props<Item>) {
  const titleId = useId();
  const heading = useFocusAfterLoss(items?.length);
  return (
    <div className="grid gap-x-16 gap-y-12 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
      <div className="min-w-0">
        <section aria-labelledby={titleId}>
          <h2 id={titleId} ref={heading} tabIndex={-1} className="text-2xl outline-none">
            {title}
          </h2>
          <div role="status">{notice}</div>
          <div role="alert">{problem && <p className="mt-4 text-sm text-accent-ink">{problem}</p>}</div>
          {problem && (
            <Button className="mt-3" onClick={onRetry}>
              Try again
            </Button>
          )}
          {!items && !problem && <p className="mt-4 text-muted">Loading...</p>}
          {items?.length === 0 && <p className="mt-4 text-muted">{none}</p>}
          {items && items.length > 0 && <ul className="mt-2 divide-y divide-line">{items.map(row)}</ul>}
        </section>
        {children}
      </div>
      {form}
    </div>
  );
}

/** Takes the focus when the list becomes shorter and the focused button was removed with its row. */
function useFocusAfterLoss(count: number | undefined) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(count);
  useEffect(() => {
    const isShorter = count !== undefined && before.current !== undefined && count < before.current;
    before.current = count;
    if (isShorter && isFocusFree()) heading.current?.focus();
  }, [count]);
  return heading;
}

/** The only time that a secret is shown. On a phone it is a screen above the button that created it. */
export function ShownOnce({ words, secret, label }: { words: string; secret: string; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for each new secret
  useEffect(() => {
    box.current?.scrollIntoView({ block: "nearest" }); // may return a promise, which is no cleanup function
  }, [secret]);
  return (
    <div ref={box} className="mt-4 rounded-lg border border-line bg-sunken p-4">
      <p className="text-sm font-medium wrap-anywhere">{words}</p>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <code className="min-w-0 text-sm break-all">{secret}</code>
        <CopyButton text={secret} label={label} />
      </div>
    </div>
  );
}
