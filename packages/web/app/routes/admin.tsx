import { DeskPage } from "../features/desk/desk-page.tsx";
import { useSessionState } from "../features/session/session-context.tsx";
import { unlistedMeta } from "../lib/seo.ts";
import NotFound from "./not-found.tsx";

/** A stranger is told what any unknown address says. */
export const meta = () => unlistedMeta("Page not found");

export default function Admin() {
  const visitor = useSessionState((state) => state.visitor);
  if (visitor.kind === "person") return <DeskPage key={visitor.person.id} notFound={<NotFound />} />;
  return visitor.kind === "guest" ? <NotFound /> : <div className="min-h-dvh" />;
}
