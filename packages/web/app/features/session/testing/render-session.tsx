import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createToasts } from "../../../ui/toast.ts";
import { ToastContext } from "../../../ui/toast-area.tsx";
import { createSession } from "../session.ts";
import { SessionProvider } from "../session-context.tsx";
import { SessionHeader } from "../session-header.tsx";

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
