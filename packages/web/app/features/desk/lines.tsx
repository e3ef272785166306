import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";

type Line = {
  key: string;
  line: ReactNode;
  /** Below the line, in grey. Parts are joined by commas, without the empty ones. */
  more: string | ReactElement | readonly (string | false | null | undefined)[];
  action?: ReactNode;
};

/** `none` is shown in place of an empty list. */
export function Lines({ lines, none }: { lines: readonly Line[]; none?: string }) {
  if (lines.length === 0 && none !== undefined) return <None>{none}</None>;
  return (
    <ul className="divide-y divide-line">
      {lines.map(({ key, line, more, action }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-40 flex-1">
            <p className="wrap-anywhere first-letter:uppercase">{line}</p>
            <p className="text-muted wrap-anywhere">{Array.isArray(more) ? more.filter(Boolean).join(", ") : more}</p>
          </div>
          {action}
        </li>
      ))}
    </ul>
  );
}

/** Shown in place of an empty list. */
export const None = ({ children }: { children: string }) => <p className="text-muted">{children}</p>;

/** A link to a person's page. */
export const AccountLink = ({ id }: { id: string }) => (
  <Link to={`/admin?person=${encodeURIComponent(id)}`} className="underline underline-offset-2 hover:text-ink">
    {id}
  </Link>
);
