import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { CloseIcon } from "./icons.tsx";

type Props = {
  title: ReactNode;
  isOpen: boolean;
  /** Escape, the cross, or a click beside it. */
  onClose(): void;
  children: ReactNode;
  /** Beside all that, at its left edge, on large screens. */
  aside?: ReactNode;
  /** Of the box: its width above all. */
  className?: string;
};

/**
 * A modal window: the browser's own dialog, which keeps the focus inside, gives it back, and lies above everything.
 * Its content exists only while it is open: forms then begin empty.
 */
export function Dialog({ title, isOpen, onClose, children, aside, className = "max-w-md" }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = element;
    if (isOpen && current && !current.open) current.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  /** Escape. Heard before the browser closes the dialog by itself, so that the page never holds a closed one for open. */
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== element.current) return; // a file input's own
    event.preventDefault();
    onClose();
  };
  /** The browser tells it a task later: by then the page may have closed this dialog, and opened it again or another one. */
  const onBrowserClosed = () => isOpen && !element.current?.open && onClose();

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the dialog's own
    <dialog
      ref={element}
      aria-labelledby={titleId}
      onCancel={onCancel}
      onClose={onBrowserClosed}
      onClick={({ target }) => target === element.current && onClose()}
      className={joinClasses(
        "m-auto w-[calc(100%-2rem)] rounded-lg border border-line bg-surface p-0 text-ink shadow-card backdrop:bg-black/60",
        className,
      )}
    >
      {isOpen && (
        <div className={joinClasses(aside !== undefined && "lg:grid lg:grid-cols-2")}>
          {aside}
          <div className="p-6">
            <div className="mb-4 flex items-start gap-4">
              <h2 id={titleId} className="mr-auto text-2xl">
                {title}
              </h2>
              <button
                type="button"
                aria-label="Close"
                onClick={onClose}
                className="-mt-1 -mr-2 inline-flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
              >
                <CloseIcon className="size-5" />
              </button>
            </div>
            {children}
          </div>
        </div>
      )}
    </dialog>
  );
}
