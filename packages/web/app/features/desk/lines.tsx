import type { ReactNode } from "react";
import { Link } from "react-router";

/** A list of lines, each with a secondary text in grey below it. */
export function Lines({
  lines,
}: {
  lines: readonly { key: string; line: ReactNode; more: ReactNode; action?: ReactNode }[];
}) {
  return (
    <ul className="divide-y divide-line">
      {lines.map(({ key, line, more, action }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-40 flex-1">
            <p className="wrap-anywhere first-letter:uppercase">{line}</p>
            <p className="text-muted wrap-anywhere">{more}</p>
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
