import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { CloseIcon } from "./icons.tsx";

type Props = {
  title: ReactNode;
  isOpen: boolean;
  /** Called on Escape, the close button, or a click on the backdrop. */
  onClose(): void;
  children: ReactNode;
  /** Beside the content, at the left edge, on large screens. */
  aside?: ReactNode;
  /** Classes of the box, mainly its width. */
  className?: string;
};

/**
 * A modal: the native dialog, which traps the focus, restores it, and is on the top layer. Its content is mounted
 * only while it is open, so forms start empty.
 */
export function Dialog({ title, isOpen, onClose, children, aside, className = "max-w-md" }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const { current } = element;
    if (isOpen && current && !current.open) current.showModal();
    if (!isOpen && current?.open) current.close();
  }, [isOpen]);
  /** Escape. Handled before the browser closes the dialog itself, so that React's state never says open for a closed dialog. */
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== element.current) return; // a file input's own cancel event
    event.preventDefault();
    onClose();
  };
  /** The browser reports it a task later: by then the page may have closed this dialog and opened it again, or another one. */
  const onBrowserClosed = () => isOpen && !element.current?.open && onClose();

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the dialog itself handles Escape
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
