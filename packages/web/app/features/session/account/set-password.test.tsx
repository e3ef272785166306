// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test } from "vitest";
import { createSession } from "../session.ts";
import { SessionProvider } from "../session-context.tsx";
import { fakeSite } from "../testing/fake-site.ts";
import { SetPassword } from "./set-password.tsx";
import "../../../ui/testing/patience.ts";

afterEach(cleanup);

function renderPage(search: string) {
  const session = createSession({
    apiBase: "http://localhost/api",
    identityBase: "http://localhost/idp",
    notify: { error: () => undefined },
  });
  const router = createMemoryRouter([{ path: "*", element: <SetPassword /> }], {
    initialEntries: [`/account/set-password${search}`],
  });
  render(
    <SessionProvider session={session}>
      <RouterProvider router={router} />
    </SessionProvider>,
  );
  return { session };
}
async function set(password: string, confirmation = password) {
  await userEvent.type(screen.getByLabelText("New password"), password);
  await userEvent.type(screen.getByLabelText("Confirm new password"), confirmation);
  await userEvent.click(screen.getByRole("button", { name: "Set password" }));
}

test("the mail's link sets a new password, and leads to the login", async () => {
  const site = fakeSite();
  const sent: unknown[] = [];
  site.answers.set("POST /idp/reset-password", ({ body }) => {
    sent.push(body);
    return { status: 200, body: {} };
  });
  renderPage("?token=from-the-mail");
  await set("new horse 3", "another");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Passwords do not match"));
  expect(sent).toEqual([]);
  cleanup();
  const { session } = renderPage("?token=from-the-mail");
  await set("new horse 3");
  expect(await screen.findByText("Your password has been changed.")).toBeDefined();
  expect(sent).toEqual([{ token: "from-the-mail", newPassword: "new horse 3" }]);
  await userEvent.click(screen.getByRole("button", { name: "Log In" }));
  expect(session.read().dialog).toMatchObject({ isOpen: true, tab: "login" });
});

test.each(["", "?error=INVALID_TOKEN"])("a link that is spent says so, and what to do: %s", async (search) => {
  fakeSite();
  renderPage(search);
  expect(screen.getByText(/This link has been used or has expired/)).toBeDefined();
});

test("a link that runs out while one types says so too", async () => {
  const site = fakeSite();
  site.answers.set("POST /idp/reset-password", () => ({ status: 400, body: { code: "INVALID_TOKEN" } }));
  renderPage("?token=old");
  await set("new horse 3");
  await waitFor(() => expect(screen.getByRole("alert").textContent).toMatch(/This link has been used/));
});
