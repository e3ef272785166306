import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { SiteHeader } from "../../../ui/site-header.tsx";
import { createToasts } from "../../../ui/toast.ts";
import { ToastContext } from "../../../ui/toast-area.tsx";
import { AccountArea } from "../account-area.tsx";
import { createSession } from "../session.ts";
import { SessionProvider, useSessionState } from "../session-context.tsx";

/** As root.tsx puts it together. */
function SessionHeader() {
  const problem = useSessionState((state) => state.problem);
  return <SiteHeader account={<AccountArea />} problem={problem} />;
}

/** The header and what opens from it, as a page shows them; toasts are collected. */
export function renderSession() {
  const said: string[] = [];
  const toasts = { ...createToasts(), error: (sentence: string) => said.push(sentence) };
  const session = createSession({
    apiBase: "http://localhost/api",
    identityBase: "http://localhost/idp",
    notify: toasts,
  });
  const router = createMemoryRouter([{ path: "*", element: <SessionHeader /> }]);
  const { unmount } = render(
    <ToastContext value={toasts}>
      <SessionProvider session={session}>
        <RouterProvider router={router} />
      </SessionProvider>
    </ToastContext>,
  );
  return { said, session, router, unmount, user: userEvent.setup() };
}
