// @vitest-environment jsdom

import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test, vi } from "vitest";
import { fillInModalDialogs } from "../../ui/testing/modal-dialogs.ts";
import { fakeSite } from "./testing/fake-site.ts";
import { renderSession } from "./testing/render-session.tsx";

fillInModalDialogs();
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

async function openDialog(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "Get Started" }));
  return within(await screen.findByRole("dialog"));
}
async function fill(user: UserEvent, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    await user.clear(field);
    await user.type(field, value);
  }
}
const errorShown = () => screen.getByRole("alert").textContent;

test("a guest's page asks the provider nothing", async () => {
  const site = fakeSite();
  renderSession();
  await screen.findByRole("button", { name: "Get Started" });
  expect(site.asked).toEqual([]);
});

test("the dialog starts with Log In, keeps a wrong attempt open with a sentence of ours, and closes after a right one", async () => {
  const site = fakeSite();
  const { user } = renderSession();
  const dialog = await openDialog(user);
  expect(dialog.getByRole("tab", { selected: true }).textContent).toBe("Log In");
  await fill(user, { Email: "ann@example.com", Password: "wrong" });
  await user.click(dialog.getByRole("button", { name: "Log In" }));
  await waitFor(() => expect(errorShown()).toBe("Wrong email or password."));

  await fill(user, { Password: site.account.password });
  await user.click(dialog.getByRole("button", { name: "Log In" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const meter = await screen.findByRole("meter", { name: "Credits used" });
  await waitFor(() => expect(meter.getAttribute("aria-valuetext")).toBe("7 of 100"));
});

test("where sign-up is closed, Sign Up says so in place of a form", async () => {
  fakeSite({ config: { access: { guests: true, sign_up: "closed", domains: [], invitation: null } } });
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("tab", { name: "Sign Up" }));
  await dialog.findByText("This service takes no new accounts. Please ask the people who run it.");
  expect(dialog.queryByLabelText("Full Name")).toBeNull();
});

test("where a domain admits, Sign Up names it, and another address is told no", async () => {
  const site = fakeSite({
    config: { access: { guests: false, sign_up: "domain", domains: ["example.com"], invitation: null } },
  });
  site.answers.set("POST /idp/sign-up/email", () => ({ status: 403, body: { code: "NOT_ADMITTED" } }));
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("tab", { name: "Sign Up" }));
  await dialog.findByText("At example.com. We send a link there.");
  await fill(user, {
    "Full Name": "Bob",
    Email: "bob@example.net",
    Password: "horse 123",
    "Confirm Password": "horse 123",
  });
  await user.click(dialog.getByRole("button", { name: "Sign Up" }));
  await waitFor(() =>
    expect(errorShown()).toBe(
      "No account can be created with this email here. Please ask the people who run this service.",
    ),
  );
});

test("who signed up at an admitted domain is told to follow the link first", async () => {
  const site = fakeSite();
  const detail = "Please verify your email first: follow the link we sent you.";
  site.answers.set("GET /api/user-info", () => ({
    status: 403,
    body: { type: "http://localhost/api/docs#error-not-admitted", detail },
  }));
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await fill(user, { Email: "ann@example.com", Password: site.account.password });
  await user.click(dialog.getByRole("button", { name: "Log In" }));
  expect((await screen.findAllByText(detail)).length).toBeGreaterThan(0);
});

test("an account with a second step asks for a code of the app, or a recovery code, before anybody is in", async () => {
  const site = fakeSite();
  const sent: unknown[] = [];
  site.answers.set("POST /idp/sign-in/email", () => ({ status: 200, body: { twoFactorRedirect: true } }));
  site.answers.set("POST /idp/two-factor/verify-totp", () => ({ status: 401, body: { code: "INVALID_CODE" } }));
  site.answers.set("POST /idp/two-factor/verify-backup-code", ({ body }) => {
    sent.push(body);
    site.isSignedIn = true;
    return { status: 200, body: {} };
  });
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await fill(user, { Email: "ann@example.com", Password: "correct horse" });
  await user.click(dialog.getByRole("button", { name: "Log In" }));
  await dialog.findByRole("heading", { name: "Second step" });
  await fill(user, { Code: "123 456" });
  await user.click(dialog.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(errorShown()).toBe("Wrong code. Please check the app again."));
  expect(screen.queryByRole("meter", { name: "Credits used" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Use a recovery code" }));
  await fill(user, { "Recovery code": "abcde-fghij" });
  await user.click(dialog.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent).toEqual([{ code: "abcde-fghij" }]);
  await screen.findByRole("meter", { name: "Credits used" });
});

test("a call that wants a fresh sign-in is made again once the person has shown that it is them", async () => {
  const site = fakeSite();
  site.isSignedIn = true;
  localStorage.setItem("tintype.session", "user-1");
  let isFresh = false;
  site.answers.set("POST /api/keys", () =>
    isFresh
      ? { status: 201, body: { key: "tt_live_x" } }
      : { status: 403, body: { type: "/api/docs#error-fresh-sign-in-required" } },
  );
  const signIn = () => {
    isFresh = true;
    return { status: 200, body: {} };
  };
  const { user, session } = renderSession();
  await screen.findByRole("meter", { name: "Credits used" });
  const api = createApi({ base: "http://localhost/api", token: session.token, signInAgain: session.signInAgain });
  const create = () => api.call("POST /keys", { json: { name: "x", scopes: ["process"] } });
  const cancelled = create().catch((problem: unknown) => problem);
  const dialog = within(await screen.findByRole("dialog", { name: "Confirm it’s you" }));
  await user.click(dialog.getByRole("button", { name: "Close" }));
  expect(await cancelled).toMatchObject({ code: "fresh-sign-in-required" });

  const made = create();
  const again = within(await screen.findByRole("dialog", { name: "Confirm it’s you" }));
  site.answers.set("POST /idp/sign-in/email", () => ({
    status: 401,
    body: { code: "INVALID_EMAIL_OR_PASSWORD" },
  }));
  await user.type(await again.findByLabelText("Password"), "wrong");
  await user.click(again.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(errorShown()).toBe("Wrong password."));
  site.answers.set("POST /idp/sign-in/email", signIn);
  await fill(user, { Password: "correct horse" });
  await user.click(again.getByRole("button", { name: "Continue" }));
  expect(await made).toMatchObject({ key: "tt_live_x" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("passwords that differ are told, and nothing is sent", async () => {
  const site = fakeSite();
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("tab", { name: "Sign Up" }));
  await fill(user, { "Full Name": "Bob", Email: "bob@example.com", Password: "one", "Confirm Password": "two" });
  await user.click(dialog.getByRole("button", { name: "Sign Up" }));
  await waitFor(() => expect(errorShown()).toBe("Passwords do not match"));
  expect(site.asked).not.toContain("POST /idp/sign-up/email");
  expect(document.activeElement).toBe(screen.getByLabelText("Confirm Password"));
});

test("signing up fires the parent's callback; an email that is taken is told as what to do", async () => {
  fakeSite();
  const { user, session } = renderSession();
  const onSuccess = vi.fn();
  session.openDialog({ tab: "signup", onSuccess });
  const dialog = within(await screen.findByRole("dialog"));
  const rest = { "Full Name": "Bob", Password: "long enough", "Confirm Password": "long enough" };
  await fill(user, { Email: "ann@example.com", ...rest });
  await user.click(dialog.getByRole("button", { name: "Sign Up" }));
  await waitFor(() => expect(errorShown()).toBe("There is already an account with this email. Log in instead."));
  expect(onSuccess).not.toHaveBeenCalled();
  await fill(user, { Email: "bob@example.com" });
  await user.click(dialog.getByRole("button", { name: "Sign Up" }));
  await waitFor(() => expect(onSuccess).toHaveBeenCalledOnce());
  expect(await screen.findByRole("button", { name: "Account of Bob" })).toBeDefined();
});

test.each([
  ["Log In", "POST /idp/sign-in/email", "Login failed"],
  ["Sign Up", "POST /idp/sign-up/email", "Signup failed"],
])("an unknown word of the provider stays in the console: %s", async (tab, address, words) => {
  const site = fakeSite();
  site.answers.set(address, () => ({ status: 500, body: { code: "ODD", message: "Provider: internal words" } }));
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("tab", { name: tab }));
  const isSignUp = tab === "Sign Up";
  await fill(user, {
    Email: "ann@example.com",
    Password: "long enough",
    ...(isSignUp && { "Full Name": "Ann", "Confirm Password": "long enough" }),
  });
  await user.click(dialog.getByRole("button", { name: tab }));
  await waitFor(() => expect(errorShown()).toBe(words));
});

test("a window for Google that the browser blocks becomes a redirect; where there is no Google pressing the button says so", async () => {
  const site = fakeSite();
  site.answers.set("POST /idp/sign-in/social", () => ({ status: 500 }));
  vi.stubGlobal("open", () => null);
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("button", { name: "Sign in with Google" }));
  await waitFor(() => expect(errorShown()).toBe("Google login failed"));
  expect(site.asked).toContain("POST /idp/sign-in/social");

  cleanup();
  const here = fakeSite({
    config: { identity: { provider: "built-in", google: false, password_min_length: 8, second_factor: true } },
  });
  const { user: other } = renderSession();
  const without = await openDialog(other);
  await other.click(without.getByRole("button", { name: "Sign in with Google" }));
  await waitFor(() => expect(errorShown()).toBe("Google sign-in is not available here. Please use your email."));
  expect(here.asked).toContain("POST /idp/sign-in/social"); // puts it in the operator's log
});

test("a forgotten password is asked for by mail, for a known and an unknown address alike", async () => {
  const site = fakeSite();
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("button", { name: "Forgot your password?" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  await fill(user, { Email: "nobody@example.com" });
  await user.click(dialog.getByRole("button", { name: "Send link" }));
  expect(await screen.findByText(/If there is an account with this email/)).toBeDefined();
  expect(site.asked).toContain("POST /idp/request-password-reset");
});
