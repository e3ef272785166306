// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { fillInModalDialogs } from "../../../ui/testing/modal-dialogs.ts";
import { RequireSignIn } from "../account/require-sign-in.tsx";
import { hintKey } from "../hint.ts";
import { fakeSite, info } from "../testing/fake-site.ts";
import { renderSession } from "../testing/render-session.tsx";
import { useVerifiedNotice } from "./use-verified-notice.ts";

fillInModalDialogs();
afterEach(() => {
  cleanup();
  localStorage.clear();
});

const unverified = { ...info, limit: 5, window: "ever", resets_at: null, must_verify_email: true } as const;
function signedIn() {
  const site = fakeSite();
  site.isSignedIn = true;
  localStorage.setItem(hintKey, site.account.id);
  return site;
}
/** The first test of the file loads the chunks for the others. */
const patience = { timeout: 10_000 };
const banner = () => screen.queryByRole("region", { name: "Verify your email" });

test("an account whose address waits says so on every page, sends the link again, and is told when that is too often", async () => {
  const site = signedIn();
  site.info = unverified;
  const asked: unknown[] = [];
  site.answers.set("POST /idp/send-verification-email", ({ body }) => {
    asked.push(body);
    return asked.length === 1
      ? { status: 200, body: { status: true } }
      : { status: 429, body: { code: "TOO_MANY_MAILS" } };
  });
  const { user } = renderSession();
  const button = await screen.findByRole("button", { name: "Send again" }, patience);
  expect(banner()?.textContent).toContain("ann@example.com");
  await user.click(button);
  expect(await screen.findByText("Sent. Check your inbox.")).toBeDefined();
  expect(asked).toEqual([{ email: "ann@example.com" }]);
  await user.click(button);
  expect(await screen.findByText(/Too many attempts/)).toBeDefined();
});

test("an address that was verified in another window meanwhile ends the message", async () => {
  const site = signedIn();
  site.info = unverified;
  site.answers.set("POST /idp/send-verification-email", () => {
    site.info = info;
    return { status: 400, body: { code: "EMAIL_ALREADY_VERIFIED" } };
  });
  const { user } = renderSession();
  await user.click(await screen.findByRole("button", { name: "Send again" }, patience));
  await waitFor(() => expect(banner()).toBeNull());
});

test("a verified account sees nothing of it", async () => {
  signedIn();
  renderSession();
  await screen.findByRole("meter");
  await waitFor(() => expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toBe("7 of 100"));
  expect(banner()).toBeNull();
});

function Account() {
  useVerifiedNotice();
  return <RequireSignIn>{({ name }) => <p>Account page of {name}</p>}</RequireSignIn>;
}

test.each([
  ["?verified=1", "Your email is verified."],
  ["?verified=1&error=TOKEN_EXPIRED", "This link has been used or has expired. Log in to get a new one."],
])("the mail's link ends at the account and says what came of it: %s", async (search, sentence) => {
  signedIn();
  const { said, router } = renderSession({ page: <Account />, at: `/account${search}` });
  expect(await screen.findByText("Account page of Ann")).toBeDefined();
  expect(said).toEqual([sentence]);
  expect(router.state.location).toMatchObject({ pathname: "/account", search: "" });
});

// product: account-signed-in
test.each(["/account", "/account/usage?by=key"])(
  "a guest at %s is sent home to the login dialog, and back once they are in",
  async (at) => {
    const site = fakeSite();
    const { user, router } = renderSession({ page: <Account />, at });
    expect(await screen.findByRole("dialog")).toBeDefined();
    expect(router.state.location.pathname).toBe("/");
    await user.type(screen.getByLabelText("Email"), site.account.email);
    await user.type(screen.getByLabelText("Password"), site.account.password);
    await user.click(screen.getByRole("button", { name: "Log In" }));
    expect(await screen.findByText("Account page of Ann")).toBeDefined();
    const { pathname, search } = router.state.location;
    expect(pathname + search).toBe(at);
  },
);

test("a person who logs out at /account is sent home without a dialog", async () => {
  signedIn();
  const { user, router } = renderSession({ page: <Account />, at: "/account" });
  await screen.findByText("Account page of Ann");
  await user.click(await screen.findByRole("button", { name: "Account of Ann" }));
  await user.click(screen.getByRole("button", { name: "Log Out" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/"));
  expect(screen.queryByRole("dialog")).toBeNull();
});
