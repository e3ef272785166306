import { Link } from "react-router";
import { brand, useOperator } from "../lib/brand.ts";
import { mainLinks, moreLinks, toolLinks } from "./site-links.ts";
import { Wordmark } from "./wordmark.tsx";

export function SiteFooter() {
  return (
    <footer className="mt-24 border-t border-line">
      <div className="page-width flex flex-col gap-8 py-12 md:flex-row md:items-start md:justify-between">
        <div className="max-w-xs">
          <Link to="/" aria-label={`${brand.name}, home`} className="rounded-sm text-xl">
            <Wordmark />
          </Link>
          <p className="mt-3 text-sm text-muted">
            Images done right, while you wait. We delete originals and results from our servers once you have them.
          </p>
          <OperatorLine />
        </div>
        <nav aria-label="Footer">
          <div className="grid grid-cols-2 gap-x-10 gap-y-6 sm:grid-cols-3">
            {[toolLinks, mainLinks, moreLinks].map((links) => (
              <ul key={links[0]?.to} className="flex flex-col gap-y-1">
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} className="inline-block py-1.5 text-sm text-muted hover:text-ink hover:underline">
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            ))}
          </div>
        </nav>
      </div>
    </footer>
  );
}

/** Who runs the service, if the operator has configured it. */
function OperatorLine() {
  const { entity, address, support_email } = useOperator();
  if (!entity && !support_email) return null;
  return (
    <address className="mt-4 text-sm text-muted not-italic wrap-anywhere">
      {entity && <span className="block">{entity}</span>}
      {address && <span className="block whitespace-pre-line">{address}</span>}
      {support_email && (
        <a href={`mailto:${support_email}`} className="mt-1 inline-block py-1 underline hover:text-ink">
          {support_email}
        </a>
      )}
    </address>
  );
}
