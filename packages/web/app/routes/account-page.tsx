import type { ReactNode } from "react";
import { Link } from "react-router";
import { RequireSignIn } from "../features/session/account/require-sign-in.tsx";
import type { Person } from "../features/session/port.ts";

type Props = { title: string; introduction?: ReactNode; children(person: Person): ReactNode };

/** The layout of a page below the account's: the link back, the title and the introduction. */
export function AccountPage({ title, introduction, children }: Props) {
  return (
    <RequireSignIn>
      {(person) => (
        <div key={person.id} className="page-width pt-10 sm:pt-16 print:p-0">
          <p className="mb-3 text-sm print:hidden">
            <Link to="/account" className="text-muted underline underline-offset-2 hover:text-ink">
              Account
            </Link>
          </p>
          <h1 className="mb-4 text-4xl print:hidden">{title}</h1>
          {introduction && <p className="mb-10 max-w-prose text-muted print:hidden">{introduction}</p>}
          {children(person)}
        </div>
      )}
    </RequireSignIn>
  );
}
