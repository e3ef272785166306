import type { ReactNode } from "react";
import { joinClasses } from "../lib/join-classes.ts";
import { type Loader, usePages } from "../lib/use-pages.ts";
import { Button } from "./button.tsx";

type Props<Row> = {
  load: Loader<Row>;
  /** Shown when the list is empty. */
  none: ReactNode;
  /** Classes of the sentence in place of the rows. */
  noteClassName?: string;
  /** Renders the rows; there is at least one. */
  children(rows: readonly Row[]): ReactNode;
};

/** A paginated list of the server. Below it: the error, or the button that loads more. */
export function PagedList<Row>({ load, none, noteClassName, children }: Props<Row>) {
  const { rows, hasMore, isLoading, problem, more } = usePages(load);
  const noteClasses = joinClasses("text-muted", noteClassName);
  return (
    <>
      <div role="status">
        {!rows && isLoading && <p className={noteClasses}>Loading...</p>}
        {rows?.length === 0 && <p className={noteClasses}>{none}</p>}
      </div>
      {rows && rows.length > 0 && children(rows)}
      <div className="mt-4 print:hidden">
        <div role="status">{problem && <p className="mb-3 text-sm text-accent-ink">{problem}</p>}</div>
        {(hasMore || problem) && (
          <Button disabled={isLoading} onClick={more}>
            {isLoading ? "Loading..." : problem ? "Try again" : "Show more"}
          </Button>
        )}
      </div>
    </>
  );
}
