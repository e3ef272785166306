import { lazy, Suspense } from "react";
import { Link, useLocation } from "react-router";
import { useSessionState } from "../features/session/session-context.tsx";
import { pageMeta } from "../lib/seo.ts";
import { buttonClasses } from "../ui/button.tsx";

export const meta = () => [
  ...pageMeta({ title: "Page not found", description: "There is no page at this address.", path: "/404" }),
  { name: "robots", content: "noindex" },
];

const DeskPage = lazy(() => import("../features/desk/desk-page.tsx"));
const deskPaths = /^\/admin(\/|$)/;

/**
 * The page of every unknown path. The operator's desk is under some of them: it has no route and no HTML of its own,
 * so the server answers there as for any unknown path, and only an operator's browser goes on to render it.
 */
export default function NotFoundPage() {
  const { pathname } = useLocation();
  const visitor = useSessionState((state) => state.visitor);
  if (visitor.kind !== "person" || !deskPaths.test(pathname)) return <NotFound />;
  return (
    <Suspense fallback={<NotFound />}>
      <DeskPage key={visitor.person.id} notFound={<NotFound />} />
    </Suspense>
  );
}

function NotFound() {
  return (
    <div className="page-width py-24 text-center">
      <h1 className="text-4xl sm:text-5xl">Page not found</h1>
      <p className="mt-4 text-muted">There is nothing at this address. It may have moved, or the link may be wrong.</p>
      <Link to="/" className={`${buttonClasses({ kind: "primary", size: "lg" })} mt-8`}>
        Go to the studio
      </Link>
    </div>
  );
}
