// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
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
  await waitFor(() => expect(errorShown()).toBe("The email or the password is not right."));

  await fill(user, { Password: site.account.password });
  await user.click(dialog.getByRole("button", { name: "Log In" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const meter = await screen.findByRole("meter", { name: "Credits used" });
  await waitFor(() => expect(meter.getAttribute("aria-valuetext")).toBe("7 of 100"));
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
  await waitFor(() => expect(errorShown()).toBe("There is an account with this email already. Log in instead."));
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
  const here = fakeSite({ config: { identity: { provider: "built-in", google: false, password_min_length: 8 } } });
  const { user: other } = renderSession();
  const without = await openDialog(other);
  await other.click(without.getByRole("button", { name: "Sign in with Google" }));
  await waitFor(() =>
    expect(errorShown()).toBe("Google sign-in is not available here. Please use your e-mail address."),
  );
  expect(here.asked).toContain("POST /idp/sign-in/social"); // by which the operator's log hears of it
});

test("a forgotten password is asked for by mail, for a known and an unknown address alike", async () => {
  const site = fakeSite();
  const { user } = renderSession();
  const dialog = await openDialog(user);
  await user.click(dialog.getByRole("button", { name: "Forgot your password?" }));
  expect(document.activeElement).toBe(screen.getByLabelText("Email"));
  await fill(user, { Email: "nobody@example.com" });
  await user.click(dialog.getByRole("button", { name: "Send the link" }));
  expect(await screen.findByText(/If there is an account with this email/)).toBeDefined();
  expect(site.asked).toContain("POST /idp/request-password-reset");
});
