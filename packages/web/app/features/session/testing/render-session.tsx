import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { createToasts, ToastContext } from "../../../ui/toasts.tsx";
import { AccountArea } from "../account-area.tsx";
import { createSession } from "../session.ts";
import { SessionProvider, useSessionState } from "../session-context.tsx";
import { VerifyNotice } from "../verification/verify-notice.tsx";
import "../../../ui/testing/patience.ts";

/** As in root.tsx. */
function SessionHeader() {
  const problem = useSessionState((state) => state.problem);
  return <SiteHeader account={<AccountArea />} problem={problem} />;
}

/** Renders the header with its menu and dialog, and optionally a page at a path; collects toasts. */
export function renderSession({ page, at = "/" }: { page?: ReactNode; at?: string } = {}) {
  const said: string[] = [];
  const say = (sentence: string) => said.push(sentence);
  const toasts = { ...createToasts(), error: say, success: say };
  const session = createSession({
    apiBase: "http://localhost/api",
    identityBase: "http://localhost/idp",
    notify: toasts,
  });
  const site = (
    <>
      <SessionHeader />
      <VerifyNotice />
      <Outlet />
    </>
  );
  const children = [
    { path: "/account/*", element: page },
    { path: "*", element: null },
  ];
  const router = createMemoryRouter([{ element: site, children }], { initialEntries: [at] });
  const { unmount } = render(
    <ToastContext value={toasts}>
      <SessionProvider session={session}>
        <RouterProvider router={router} />
      </SessionProvider>
    </ToastContext>,
  );
  return { said, session, router, unmount, user: userEvent.setup() };
}
