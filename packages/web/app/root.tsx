import { createApi } from "@tintype/contract/api";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useNavigate } from "react-router";
import { AccountArea } from "./features/session/account-area.tsx";
import { hintScript } from "./features/session/hint.ts";
import { createSession } from "./features/session/session.ts";
import { SessionProvider, useSession, useSessionState } from "./features/session/session-context.tsx";
import { VerifyNotice } from "./features/session/verification/verify-notice.tsx";
import { GuestCredits } from "./features/studio/guest-credits.tsx";
import { ReloadNotice } from "./features/studio/reload-notice.tsx";
import type { InitialTool } from "./features/studio/state/initial-tool.ts";
import { StudioProvider, useStudio } from "./features/studio/work/studio-context.tsx";
import type { StudioHost } from "./features/studio/work/studio-parts.ts";
import { ApiProvider } from "./lib/api/context.tsx";
import { brand, brandElementId, brandStyleId } from "./lib/brand.ts";
import { earlyEventsScript, replayEarlyEvents } from "./lib/early-events.ts";
import { lightScript } from "./lib/light.ts";
import { tryChunk } from "./lib/load-chunk.ts";
import { registerWorker } from "./lib/register-worker.ts";
import fraunces from "./styles/common-fonts/fraunces.woff2?url";
import inter from "./styles/common-fonts/inter.woff2?url";
import interHyphen from "./styles/common-fonts/inter-hyphen.woff2?url";
import { buttonClasses } from "./ui/button.tsx";
import { SiteFooter } from "./ui/site-footer.tsx";
import { SiteHeader } from "./ui/site-header.tsx";
import { createToasts, ToastArea, ToastContext } from "./ui/toasts.tsx";
import "./app.css";

const font = { rel: "preload", as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const;
export const links = () => [
  { ...font, href: inter },
  { ...font, href: interHyphen },
  { ...font, href: fraunces },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
  { rel: "manifest", href: "/manifest.webmanifest" },
];

/** docs/product.md: a configured host plus /api, or our own server if none is configured. */
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
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own constants, which must run before the first paint */}
        <script dangerouslySetInnerHTML={{ __html: lightScript + hintScript + earlyEventsScript }} />
        <script
          id={brandElementId}
          type="application/json"
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the operator's details, escaped by the server that writes them
          dangerouslySetInnerHTML={{ __html: JSON.stringify(brand).replaceAll("<", "\\u003c") }}
        />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: empty, for the server to fill in */}
        <style id={brandStyleId} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
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
  const main = useRef<HTMLElement>(null);
  useEffect(registerWorker, []);
  useKeepFocus(main);
  useEffect(replayEarlyEvents, []);
  const [session] = useState(() => createSession({ apiBase, identityBase, notify: toasts }));
  const [api] = useState(() => createApi({ base: apiBase, token: session.token, signInAgain: session.signInAgain }));
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
            <VerifyNotice />
            <ReloadNotice />
            <main ref={main} id="main" tabIndex={-1} className="flex-1 outline-none">
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

/** Keeps the focus on the page, once an element in it has had the focus. */
function useKeepFocus(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    let end: (() => void) | undefined;
    let isOver = false;
    const begin = () =>
      void import("./lib/keep-focus.ts").then(
        ({ keepFocus }) => {
          if (!isOver) end = keepFocus(element);
        },
        () => undefined, // the page works without it
      );
    element.addEventListener("focusin", begin, { once: true });
    return () => {
      isOver = true;
      element.removeEventListener("focusin", begin);
      end?.();
    };
  }, [root]);
}

/** The site's header, with who is signed in, what a guest has left, and any error about the account. */
function SessionHeader() {
  const problem = useSessionState((state) => state.problem);
  const isPerson = useSessionState(({ visitor }) => visitor.kind === "person");
  const account = (
    <>
      {!isPerson && <GuestCredits />}
      <AccountArea />
    </>
  );
  return <SiteHeader account={account} problem={problem} />;
}

/** Loaded when something is about to be sent. */
const outOfCredits = () => tryChunk(() => import("./features/session/out-of-credits.ts"));

/** The studio and the session do not know each other: this component passes credits from the session to the studio. */
function StudioOfVisitor({ children }: { children: ReactNode }) {
  const session = useSession();
  const navigate = useNavigate();
  const page = { goTo: (path: string, reason?: string) => void navigate(path, { state: { reason } }) };
  const host: StudioHost = {
    outOfCredits: async (batch) => (await outOfCredits()).handleOutOfCredits(session, batch, page),
    findShortage: async (batch) => (await outOfCredits()).findShortage(session, batch, page),
    creditsUsed: session.reportUsage,
    signUp: () => session.openDialog({ tab: "signup" }),
  };
  return (
    <StudioProvider host={host} initialTool={useInitialToolOfPage()}>
      <CallerOfStudio />
      {children}
    </StudioProvider>
  );
}

/** The tool that the page opens the studio with, from the loader of `routes/tool.tsx`. */
function useInitialToolOfPage(): InitialTool {
  const data = useMatches().at(-1)?.loaderData as { initialTool?: InitialTool } | undefined; // any route's data
  return data?.initialTool;
}

/** After signing in or out or changing plan, a person has other limits. */
function CallerOfStudio() {
  const studio = useStudio();
  const kind = useSessionState(({ visitor }) => visitor.kind);
  const personId = useSessionState(({ visitor }) => (visitor.kind === "person" ? visitor.person.id : undefined));
  const plan = useSessionState(({ info }) => info?.plan);
  useEffect(() => {
    const person = personId && plan ? { id: personId, tier: plan } : undefined;
    studio.dispatch({ type: "caller-known", caller: kind === "guest" ? { id: "guest", tier: "guest" } : person });
    studio.refreshAllowance();
  }, [studio, kind, personId, plan]);
  return null;
}

/** Shown while a page without prerendered HTML (`/account`) hydrates. */
export function HydrateFallback() {
  return (
    <>
      <title>{`Account · ${brand.name}`}</title>
      <p className="page-width min-h-dvh py-24 text-muted">Loading...</p>
    </>
  );
}

/** The last resort, when a page cannot be rendered at all. */
export function ErrorBoundary() {
  return (
    <main className="page-width py-24 text-center">
      <title>Something went wrong</title>
      <h1 className="text-4xl">This page could not be shown</h1>
      <p className="mt-4 text-muted">Reloading usually helps. If it does not, please tell us what you were doing.</p>
      <a href="/" className={`${buttonClasses({ kind: "primary", size: "lg" })} mt-8`}>
        Go to the studio
      </a>
    </main>
  );
}
