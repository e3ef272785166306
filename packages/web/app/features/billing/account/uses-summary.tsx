import type { UserInfo } from "@tintype/contract";
import { Link } from "react-router";
import { formatNumber } from "../../../lib/size.ts";
import { buttonClasses } from "../../../ui/button.tsx";

/** What was done this month, where nothing is sold. */
export function UsesSummary({ info }: { info: UserInfo | undefined }) {
  return (
    <section aria-labelledby="uses" className="rounded-lg border border-line bg-surface p-6">
      <h2 id="uses" className="font-sans text-sm font-medium tracking-normal text-muted">
        Done this month
      </h2>
      <p className="mt-1 font-serif text-4xl">{info ? formatNumber(info.service_count) : "Loading..."}</p>
      <p className="mt-1 text-sm text-muted">Each image counts once, and again for each AI step of a recipe.</p>
      <Link to="/account/usage" className={`${buttonClasses({ size: "lg" })} mt-6 w-full`}>
        See Usage
      </Link>
    </section>
  );
}
