import type { DeskRole } from "@tintype/contract";
import { ApiProblem } from "@tintype/contract/api";
import { type ReactNode, useCallback, useEffect } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { useApi } from "../../lib/api/context.tsx";
import { brand, isPrivate } from "../../lib/brand.ts";
import { useRead } from "../../lib/use-read.ts";
import { Button } from "../../ui/button.tsx";
import { AuditList } from "./audit-list.tsx";
import { DeliveryList } from "./delivery-list.tsx";
import { DeskKey } from "./desk-key.tsx";
import { FiguresView } from "./figures-view.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InvoiceExport } from "./invoice-export.tsx";
import { JobList } from "./job-list.tsx";
import { MessageList } from "./message-list.tsx";
import { NetworkList } from "./network-list.tsx";
import { PeopleSearch } from "./people-search.tsx";
import { PersonView } from "./person-view.tsx";

/** Each has a path below `/admin`; the first is at `/admin` itself. */
const views = {
  people: "People",
  invitations: "Invitations",
  figures: "Figures",
  jobs: "Jobs",
  deliveries: "Deliveries",
  networks: "Networks",
  messages: "Messages",
  invoices: "Invoices",
  audit: "Audit log",
  key: "API key",
} as const;
type View = keyof typeof views;
const shownViews = (Object.keys(views) as View[]).filter((view) => !isPrivate || view !== "invoices"); // its own keys
const pathOf = (view: View) => (view === "people" ? "/admin" : `/admin/${view}`);

/**
 * The operator's desk. Without a role, and until the role is known, it shows what an unknown path shows. A default
 * export because `lazy` loads it.
 */
export default function DeskPage({ notFound }: { notFound: ReactNode }) {
  const api = useApi();
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const goTo = useNavigate();
  const claim = search.get("claim");
  const load = useCallback(
    async (signal: AbortSignal): Promise<{ role: DeskRole; email: string } | "none"> => {
      try {
        return claim
          ? await api.call("POST /admin/claim/{token}", { params: { token: claim }, signal })
          : await api.call("GET /admin/operator", { signal });
      } catch (problem) {
        if (problem instanceof ApiProblem && problem.status === 404) return "none";
        throw problem;
      }
    },
    [api, claim],
  );
  const { data, problem, read } = useRead(load);
  const isOperator = data !== undefined && data !== "none";
  useEffect(() => {
    // The token has been used: it must not stay in the history.
    if (isOperator && claim) void goTo("/admin", { replace: true });
    if (isOperator) document.title = `Desk · ${brand.name}`;
  }, [isOperator, claim, goTo]);

  const view = viewAt(pathname);
  if (data === "none" || !view || (!data && !problem)) return notFound;
  if (!data)
    return (
      <div className="page-width min-h-dvh py-24">
        <p role="alert" className="text-accent-ink">
          {problem}
        </p>
        <Button className="mt-3" onClick={() => void read()}>
          Try again
        </Button>
      </div>
    );
  const person = search.get("person");
  return (
    <div className="page-width pt-10 sm:pt-16">
      <h1 className="text-4xl">Desk</h1>
      <p className="mt-2 text-sm text-muted wrap-anywhere">
        {data.email}, {data.role}
      </p>
      <nav aria-label="Desk" className="mt-6 mb-10 flex flex-wrap gap-x-6 gap-y-2 border-b border-line">
        {shownViews.map((one) => (
          <Link
            key={one}
            to={pathOf(one)}
            aria-current={one === view ? "page" : undefined}
            className="-mb-px border-b-2 border-transparent py-3 text-sm font-medium text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {views[one]}
          </Link>
        ))}
      </nav>
      {view === "people" && (person ? <PersonView key={person} id={person} role={data.role} /> : <PeopleSearch />)}
      {view === "invitations" && <InvitationList role={data.role} />}
      {view === "figures" && <FiguresView />}
      {view === "jobs" && <JobList role={data.role} />}
      {view === "deliveries" && <DeliveryList role={data.role} />}
      {view === "networks" && <NetworkList role={data.role} />}
      {view === "messages" && <MessageList role={data.role} />}
      {view === "invoices" && <InvoiceExport />}
      {view === "audit" && (
        <section aria-labelledby="audit" className="max-w-3xl">
          <h2 id="audit" className="mb-2 text-2xl">
            Audit log
          </h2>
          <AuditList />
        </section>
      )}
      {view === "key" && <DeskKey />}
    </div>
  );
}

const viewAt = (pathname: string): View | undefined =>
  (Object.keys(views) as View[]).find((view) => pathOf(view) === pathname.replace(/\/$/, ""));
