// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { errors } from "@tintype/contract";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test, vi } from "vitest";
import { fillInModalDialogs } from "../../ui/testing/modal-dialogs.ts";
import { hintKey, hintScript } from "./hint.ts";
import { findShortage, handleOutOfCredits } from "./out-of-credits.ts";
import { fakeSite, info } from "./testing/fake-site.ts";
import { renderSession } from "./testing/render-session.tsx";

fillInModalDialogs();
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
  delete document.documentElement.dataset["session"];
});

/** Renders the page of someone who was signed in before. */
async function renderSignedIn() {
  const site = fakeSite();
  site.isSignedIn = true;
  localStorage.setItem(hintKey, site.account.id);
  const page = renderSession();
  await shows("7 of 100");
  return { site, ...page };
}
const shows = async (words: string) =>
  // The first test of the file loads the account menu, which is slow on a busy machine.
  waitFor(() => expect(screen.getByRole("meter").getAttribute("aria-valuetext")).toBe(words), { timeout: 10_000 });
const lost = () => {
  throw new TypeError("no network");
};
const waiting = { run: () => undefined, runSignedIn: () => undefined };
/** The event that a page gets when another tab changes the storage. */
const hearOtherTab = () => window.dispatchEvent(new StorageEvent("storage", { key: hintKey }));

test("logging out resets the counter and the plan, and forgets who it was", async () => {
  const { user, session } = await renderSignedIn();
  await user.click(screen.getByRole("button", { name: "Account of Ann" }));
  expect(screen.getByRole("link", { name: "Account Settings" }).getAttribute("href")).toBe("/account");
  await user.click(screen.getByRole("button", { name: "Log Out" }));
  expect(await screen.findByRole("button", { name: "Get Started" })).toBeDefined();
  expect(session.read().info).toBeUndefined();
  expect(localStorage.getItem(hintKey)).toBeNull();
});

test("another tab's sign-out, and its sign-in, are this tab's too", async () => {
  const { site } = await renderSignedIn();
  site.isSignedIn = false;
  hearOtherTab();
  expect(await screen.findByRole("button", { name: "Get Started" })).toBeDefined();
  site.isSignedIn = true;
  hearOtherTab();
  expect(await screen.findByRole("button", { name: "Account of Ann" })).toBeDefined();
});

test("a credit used in another tab counts here, one of another person does not", async () => {
  const { site } = await renderSignedIn();
  const other = new BroadcastChannel("tintype.usage");
  other.postMessage({ personId: "user-9", info: { ...info, service_count: 55 } });
  other.postMessage({ personId: site.account.id, info: { ...info, service_count: 8 } });
  await shows("8 of 100");
  other.close();
});

test("a job's credits show at once, and other tabs hear of them", async () => {
  const { session } = await renderSignedIn();
  const other = new BroadcastChannel("tintype.usage");
  const heard = new Promise<number>((resolve) => {
    other.onmessage = ({ data }) => resolve(data.info.service_count);
  });
  session.reportUsage({ used: 12, limit: 100 });
  await shows("12 of 100");
  expect(await heard).toBe(12);
  other.close();
});

test.each([
  ["an answer", () => ({ status: 503 }), "Unable to retrieve usage data (status 503)", true],
  ["silence", lost, "A network error occurred while fetching usage data.", false],
])("usage that cannot be had is told under the bar after %s", async (_, answer, words, isToast) => {
  const site = fakeSite();
  site.isSignedIn = true;
  site.answers.set("GET /api/user-info", answer);
  localStorage.setItem(hintKey, site.account.id);
  const { said } = renderSession();
  expect(await screen.findByText(words)).toBeDefined();
  expect(said).toEqual(isToast ? [words] : []);
});

test("somebody who is blocked is told so, and what to do", async () => {
  const site = fakeSite();
  site.isSignedIn = true;
  const { detail } = errors["account-blocked"];
  site.answers.set("GET /api/user-info", () => ({
    status: 403,
    body: { type: "/api/docs#error-account-blocked", detail },
  }));
  localStorage.setItem(hintKey, site.account.id);
  const { said } = renderSession();
  expect(await screen.findByText(detail)).toBeDefined();
  expect(said).toEqual([detail]);
});

test("who was signed in here sees no guest's header while the server cannot be reached, and can try again", async () => {
  const site = fakeSite();
  site.isSignedIn = true;
  site.answers.set("GET /api/config", lost);
  localStorage.setItem(hintKey, site.account.id);
  new Function(hintScript)();
  const { user, session } = renderSession();
  const retry = await screen.findByRole("button", { name: "Try again" });
  expect(screen.queryByRole("button", { name: "Get Started" })).toBeNull();
  // CSS uses it to hide a guest's content: credits, limits and the login button.
  expect(document.documentElement.dataset["session"]).toBe("");
  await expect(session.token()).rejects.toThrow(); // no request goes out as a guest's
  await user.click(retry);
  expect(screen.getByText("A network error occurred while fetching usage data.")).toBeDefined();

  site.answers.delete("GET /api/config");
  await user.click(retry);
  const menu = await screen.findByRole("button", { name: "Account of Ann" });
  await waitFor(() => expect(document.activeElement).toBe(menu));
  expect(screen.queryByText("A network error occurred while fetching usage data.")).toBeNull();
});

test("a new page keeps room for the notice of an address that waits, until it is verified or the person is gone", async () => {
  const { dataset } = document.documentElement;
  const site = fakeSite();
  site.isSignedIn = true;
  site.info = { ...info, must_verify_email: true };
  localStorage.setItem(hintKey, site.account.id);
  new Function(hintScript)();
  expect(dataset["unverified"]).toBeUndefined();
  renderSession();
  expect(await screen.findByRole("region", { name: "Verify your email" })).toBeDefined();
  cleanup();
  new Function(hintScript)();
  expect(dataset["unverified"]).toBe("");

  site.info = info;
  renderSession();
  await waitFor(() => expect(dataset["unverified"]).toBeUndefined());
  cleanup();
  new Function(hintScript)();
  expect(dataset["unverified"]).toBeUndefined();

  site.info = { ...info, must_verify_email: true };
  const again = renderSession();
  expect(await screen.findByRole("region", { name: "Verify your email" })).toBeDefined();
  await again.user.click(await screen.findByRole("button", { name: "Account of Ann" }));
  await again.user.click(screen.getByRole("button", { name: "Log Out" }));
  await screen.findByRole("button", { name: "Get Started" });
  new Function(hintScript)();
  expect(dataset["unverified"]).toBeUndefined();
});

test("a new page knows before it is drawn whether somebody was signed in, and a sign-out ends that", async () => {
  new Function(hintScript)();
  expect(document.documentElement.dataset["session"]).toBeUndefined();
  localStorage.setItem(hintKey, "user-1");
  new Function(hintScript)();
  expect(document.documentElement.dataset["session"]).toBe("");
  fakeSite(); // nobody: the session has ended in the meantime
  renderSession();
  await waitFor(() => expect(document.documentElement.dataset["session"]).toBeUndefined());
  expect(await screen.findByRole("button", { name: "Get Started" })).toBeDefined();
});

test("a token that the API refuses is renewed once; a second refusal ends the session and asks to log in", async () => {
  const { site, session } = await renderSignedIn();
  const bearers: Array<string | undefined> = [];
  site.answers.set("GET /api/transactions", ({ bearer }) => {
    bearers.push(bearer);
    return bearers.length === 1 ? { status: 401 } : { status: 200, body: { transactions: [], next: null } };
  });
  const api = createApi({ base: "http://localhost/api", token: session.token });
  await api.call("GET /transactions", {});
  expect(new Set(bearers).size).toBe(2);

  site.answers.set("GET /api/transactions", () => ({ status: 401 }));
  await expect(api.call("GET /transactions", {})).rejects.toMatchObject({ status: 401 });
  expect(await screen.findByText("Your session has ended. Please log in again.")).toBeDefined();
  expect(session.read().visitor.kind).toBe("guest");
});

// product: guest-batch-whole
test("a guest whose batch goes over the allowance sees the dialog, and the prices where there are several pictures", async () => {
  fakeSite();
  const { session } = renderSession();
  const went: string[] = [];
  const page = { goTo: (path: string, reason: string) => void went.push(path, reason) };
  const usage = { used: 4, limit: 5 };
  const shortageOf = (pictureCount: number, used = 4) =>
    findShortage(
      session,
      { pictureCount, creditsEach: 1, usage: { ...usage, used }, filesPerBatch: 5, ...waiting },
      page,
    );
  expect(shortageOf(1)).toBeUndefined();
  expect(shortageOf(1, 5)).toBe("shown");
  expect(await screen.findByText(/Your 5 free credits are used up/)).toBeDefined();
  expect(went).toEqual([]);
  session.closeDialog();
  expect(shortageOf(2)).toBe("shown");
  const words = /This needs 2 credits, and you have 1 of 5 free credits left/;
  expect(await screen.findByText(words)).toBeDefined();
  expect(went).toEqual(["/pricing", expect.stringMatching(words)]);
});

// product: guest-batch-goes-on
test("a guest short of credits is offered what there is credit for, and an account, after which all of it runs", async () => {
  const site = fakeSite();
  const { session, user } = renderSession();
  const did: unknown[] = [];
  const page = { goTo: (path: string) => void did.push(path) };
  const acts = { run: (count: number) => void did.push(count), runSignedIn: () => void did.push("all") };
  const usage = { used: 0, limit: 5 };
  const wanted = { pictureCount: 6, creditsEach: 1, usage, filesPerBatch: 5, ...acts };
  expect(findShortage(session, wanted, page)).toBe("shown");
  expect(await screen.findByRole("tab", { name: "Sign Up", selected: true })).toBeDefined();
  expect(screen.getByText(/Sign up for 100 a month/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Run 5 now" }));
  expect(did).toEqual(["/pricing", "/", 5]);
  expect(screen.queryByRole("dialog")).toBeNull();

  did.length = 0;
  findShortage(session, wanted, page);
  await screen.findByRole("tab", { name: "Sign Up", selected: true });
  site.isSignedIn = true;
  localStorage.setItem(hintKey, site.account.id);
  hearOtherTab();
  await waitFor(() => expect(did).toEqual(["/pricing", "/", "all"]));
});

test("where guests cannot use the service, a batch asks to log in, offers no prices, and runs right after", async () => {
  const site = fakeSite();
  const { session } = renderSession();
  const did: unknown[] = [];
  const page = { goTo: (path: string) => void did.push(path) };
  const acts = { run: (count: number) => void did.push(count), runSignedIn: () => void did.push("all") };
  const wanted = { pictureCount: 6, creditsEach: 1, usage: { used: 0, limit: 0 }, filesPerBatch: 5, ...acts };
  expect(findShortage(session, wanted, page)).toBe("shown");
  expect(await screen.findByRole("tab", { name: "Log In", selected: true })).toBeDefined();
  expect(screen.getByText("Please sign in. Your images stay here and run right after.")).toBeDefined();
  expect(screen.queryByRole("button", { name: /^Run/ })).toBeNull();
  site.isSignedIn = true;
  localStorage.setItem(hintKey, site.account.id);
  hearOtherTab();
  await waitFor(() => expect(did).toEqual(["all"]));
});

test("a guest's batch of more files than a guest may send is told the same way", async () => {
  fakeSite();
  const { session } = renderSession();
  const went: string[] = [];
  const page = { goTo: (path: string) => void went.push(path) };
  const usage = { used: 0, limit: 100 };
  const wanted = { pictureCount: 6, creditsEach: 1, usage, filesPerBatch: 5, ...waiting };
  expect(findShortage(session, wanted, page)).toBe("shown");
  expect(await screen.findByText(/This needs 6 credits/)).toBeDefined();
  expect(went).toEqual(["/pricing"]);
});

test("an allowance that has begun again since is not held against anybody", async () => {
  const { session, site } = await renderSignedIn();
  site.info = { ...info, service_count: 100, resets_at: "2026-01-01T00:00:00.000Z" };
  await (await session.load()).readUserInfo();
  const wanted = { pictureCount: 1, creditsEach: 1, usage: undefined, filesPerBatch: 20, ...waiting };
  expect(findShortage(session, wanted, { goTo: vi.fn() })).toBeUndefined();
});

test("the counter is asked for again when the allowance begins again", async () => {
  const { session, site } = await renderSignedIn();
  site.info = { ...info, service_count: 100, resets_at: new Date(Date.now() + 60_000).toISOString() };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await (await session.load()).readUserInfo();
  site.info = { ...info, service_count: 0 };
  await vi.advanceTimersByTimeAsync(90_000);
  vi.useRealTimers();
  await shows("0 of 100");
});

test("a person short of credits hears how many are left and when they begin again", async () => {
  const { session } = await renderSignedIn();
  const went: string[] = [];
  const page = { goTo: (path: string, reason: string) => void went.push(path, reason) };
  const shortageOf = (pictureCount: number, creditsEach = 1) =>
    findShortage(session, { pictureCount, creditsEach, usage: undefined, filesPerBatch: 20, ...waiting }, page);
  expect(shortageOf(93)).toBeUndefined();
  session.reportUsage({ used: 98, limit: 100 });
  expect(shortageOf(3)).toEqual({
    sentence: expect.stringMatching(/^This needs 3 credits, and you have 2 left[.] Your credits reset on /),
    left: 2,
  });
  // A recipe with three networks.
  expect(shortageOf(1, 3)).toMatchObject({
    sentence: expect.stringMatching(/^This needs 3 credits, and you have 2 left/),
    left: 0,
  });
  session.reportUsage({ used: 100, limit: 100 });
  expect(shortageOf(1)).toEqual({
    sentence: expect.stringMatching(/^You have reached the monthly limit of 100 services[.] Your credits reset on /),
    left: 0,
  });
  handleOutOfCredits(session, { pictureCount: 1, sentence: "", ...waiting }, page);
  expect(went).toEqual(["/pricing", "You have reached the monthly limit. Consider upgrading your plan."]);
});
