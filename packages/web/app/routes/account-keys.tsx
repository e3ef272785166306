import { Link } from "react-router";
import { KeyPage } from "../features/keys/key-page.tsx";
import { OnlyForPersons } from "../features/session/account/only-for-persons.tsx";
import { unlistedMeta } from "../lib/seo.ts";

export const meta = () => unlistedMeta("API keys");

export default function AccountKeys() {
  return (
    <OnlyForPersons>
      {(person) => (
        <div key={person.id} className="page-width pt-10 sm:pt-16">
          <p className="mb-3 text-sm">
            <Link to="/account" className="text-muted underline underline-offset-2 hover:text-ink">
              Account
            </Link>
          </p>
          <h1 className="mb-4 text-4xl">API keys</h1>
          <p className="mb-10 max-w-prose text-muted">
            A key lets a program call the <Link to="/api/docs">API</Link> as you. It can spend your credits, and cannot
            pay, delete your account or make other keys.
          </p>
          <KeyPage />
        </div>
      )}
    </OnlyForPersons>
  );
}
