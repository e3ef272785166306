import fraunces from "@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2?url";
import inter from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import { productName } from "@tintype/contract";
import { type ReactNode, useEffect, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useNavigate } from "react-router";
import { hintScript } from "./features/session/hint.ts";
import { foreseeOutOfCredits, meetOutOfCredits } from "./features/session/out-of-credits.ts";
import { createSession } from "./features/session/session.ts";
import { SessionProvider, useSession, useSessionState } from "./features/session/session-context.tsx";
import { SessionHeader } from "./features/session/session-header.tsx";
import { StudioProvider, useStudio } from "./features/studio/studio-context.tsx";
import type { StudioHost } from "./features/studio/studio-parts.ts";
import { createApi } from "./lib/api/client.ts";
import { ApiProvider } from "./lib/api/context.tsx";
import { lightScript } from "./lib/light.ts";
import { buttonClasses } from "./ui/button.tsx";
import { SiteFooter } from "./ui/site-footer.tsx";
import { createToasts } from "./ui/toast.ts";
import { ToastArea, ToastContext, useToasts } from "./ui/toast-area.tsx";
import "./app.css";

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const;
export const links = () => [
  { ...font, href: inter },
  { ...font, href: fraunces },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

/** SPEC.md §7: a configured host plus /api; our own server where none is configured. */
const host = (import.meta.env["VITE_API_HOST"] ?? "").replace(/\/+$/, "");
const apiBase = `${host}/api`;
const identityBase = `${host}/idp`;

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbf9f6" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141110" />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours, which must run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: lightScript + hintScript }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export default function App() {
  const [toasts] = useState(createToasts);
  const [session] = useState(() => createSession({ apiBase, identityBase, notify: toasts }));
  const [api] = useState(() => createApi({ base: apiBase, token: session.token }));
  return (
    <ApiProvider api={api}>
      <ToastContext value={toasts}>
        <SessionProvider session={session}>
          <StudioOfVisitor>
            <a
              href="#main"
              className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-surface focus:px-4 focus:py-2"
            >
              Skip to content
            </a>
            <SessionHeader />
            <main id="main" tabIndex={-1} className="outline-none">
              <Outlet />
            </main>
            <SiteFooter />
            <ToastArea />
          </StudioOfVisitor>
        </SessionProvider>
      </ToastContext>
    </ApiProvider>
  );
}

/** The studio and the session do not know each other: here the one hears of credits from the other. */
function StudioOfVisitor({ children }: { children: ReactNode }) {
  const session = useSession();
  const notify = useToasts();
  const goTo = useNavigate();
  const page = { notify, goTo };
  const host: StudioHost = {
    outOfCredits(refused) {
      meetOutOfCredits(session, refused, page);
      return true;
    },
    isShortOfCredits: (wanted) => foreseeOutOfCredits(session, wanted, page),
    creditsUsed: session.noteUsage,
  };
  return (
    <StudioProvider host={host}>
      <AllowanceOfVisitor />
      {children}
    </StudioProvider>
  );
}

/** Whoever signs in, out, or changes plan has other limits from then on. */
function AllowanceOfVisitor() {
  const { refreshAllowance } = useStudio();
  const who = useSessionState(({ visitor }) => (visitor.kind === "person" ? visitor.person.id : visitor.kind));
  const plan = useSessionState(({ info }) => info?.plan);
  // biome-ignore lint/correctness/useExhaustiveDependencies: who and plan are what it is asked anew for
  useEffect(refreshAllowance, [refreshAllowance, who, plan]);
  return null;
}

/** While a page without HTML of its own (`/account`) comes to life. */
export function HydrateFallback() {
  return (
    <>
      <title>{`Account · ${productName}`}</title>
      <p className="page-width py-24 text-muted">Loading...</p>
    </>
  );
}

/** The last resort, when a page cannot be shown at all. */
export function ErrorBoundary() {
  return (
    <main className="page-width py-24 text-center">
      <title>Something went wrong</title>
      <h1 className="text-4xl">This page could not be shown</h1>
      <p className="mt-4 text-muted">Reloading it mostly helps. If it does not, please tell us what you were doing.</p>
      <a href="/" className={`${buttonClasses({ kind: "primary", size: "lg" })} mt-8`}>
        To the studio
      </a>
    </main>
  );
}
