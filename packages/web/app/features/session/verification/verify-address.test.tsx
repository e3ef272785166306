// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../ui/testing/modal-dialogs.ts";
import { hintKey } from "../hint.ts";
import { fakeSite } from "../testing/fake-site.ts";
import { renderSession } from "../testing/render-session.tsx";
import { VerifyAddress } from "./verify-address.tsx";

fillInModalDialogs();
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const at = "/account/verify?link=mailed&token=proof";

test("whoever signed up elsewhere logs in with their password, and the address is verified at once", async () => {
  const site = fakeSite();
  site.answers.set("GET /idp/verify-email", () => ({ status: 200, body: { status: site.isSignedIn } }));
  const { user } = renderSession({ page: <VerifyAddress />, at });
  const page = within(screen.getByRole("region", { name: "Did you sign up?" }));
  await user.click(await page.findByRole("button", { name: "Log In" }));
  await user.type(await screen.findByLabelText("Email"), site.account.email);
  await user.type(screen.getByLabelText("Password"), site.account.password);
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Log In" }));
  expect(await screen.findByText("Your email is verified.")).toBeDefined();
  expect(site.asked).not.toContain("POST /idp/reset-password");
});

test("whoever did not sign up sets a password of their own, and is not logged in by that", async () => {
  const site = fakeSite();
  const sent: unknown[] = [];
  site.answers.set("POST /idp/reset-password", ({ body }) => {
    sent.push(body);
    return { status: 200, body: {} };
  });
  const { user } = renderSession({ page: <VerifyAddress />, at });
  await user.type(screen.getByLabelText("New password"), "new horse 3");
  await user.type(screen.getByLabelText("Confirm new password"), "new horse 3");
  await user.click(screen.getByRole("button", { name: "Set password" }));
  expect(await screen.findByText("Your email is verified, and your new password is set.")).toBeDefined();
  expect(sent).toEqual([{ token: "proof", newPassword: "new horse 3" }]);
  expect(site.asked).not.toContain("GET /idp/verify-email");
});

test("whoever is logged in to another account is told so, and can log out", async () => {
  const site = fakeSite();
  site.isSignedIn = true;
  localStorage.setItem(hintKey, site.account.id);
  // The page for others, which the provider leads to.
  site.answers.set("GET /idp/verify-email", () => ({ status: 200 }));
  const { user } = renderSession({ page: <VerifyAddress />, at });
  await user.click(await screen.findByRole("button", { name: "Verify email" }));
  expect(await screen.findByText(/This link belongs to another account/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Log Out" }));
  await waitFor(() => expect(screen.getByText(/Log in with the password you chose/)).toBeDefined());
});

test("a link without its parts says that it is spent", async () => {
  fakeSite();
  renderSession({ page: <VerifyAddress />, at: "/account/verify" });
  expect(await screen.findByText(/This link has been used or has expired/)).toBeDefined();
});
